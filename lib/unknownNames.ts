/** No known name is as long, and to compare one of a megabyte takes its time. */
const LONGEST_NAME = 100;

/** `Did you mean "…"?` about a name that is not known; undefined if no known one is like it. */
export function didYouMean(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known);
  return nearest === undefined ? undefined : `Did you mean "${nearest}"?`;
}

/** The known name that is probably meant: same words in another order or spelling, or a few typing errors away. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > LONGEST_NAME) return undefined;
  const sameWords = known.find(
    (other) => wordsOf(other) === wordsOf(name) || lettersOf(other) === lettersOf(name),
  );
  if (sameWords !== undefined) return sameWords;
  let nearest: string | undefined;
  let nearestDistance = Math.min(3, Math.floor(name.length / 4)) + 1;
  for (const other of known) {
    if (Math.abs(other.length - name.length) >= nearestDistance) continue;
    const distance = typingErrors(name.toLowerCase(), other.toLowerCase());
    if (distance < nearestDistance) [nearest, nearestDistance] = [other, distance];
  }
  return nearest;
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1.$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .sort()
    .join('.');
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Insertions, deletions, replacements, and neighbours that have changed places (optimal string alignment). */
function typingErrors(a: string, b: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
