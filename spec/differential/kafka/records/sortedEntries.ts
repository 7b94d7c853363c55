import type { Part } from '../definitions/PartReader';

/**
 * The same parts, with the entries of an array in the order of one of their fields, and numbered anew; the array may be
 * there several times, inside of others: "topics[].partitions".
 */
export function sortedEntries(parts: readonly Part[], array: string, by: string): Part[] {
  const pattern = new RegExp(`^${array.replaceAll('[]', String.raw`\[\d+\]`)}(?=\\[\\d+\\])`);
  const result: Part[] = [];
  for (let at = 0; at < parts.length;) {
    const [found] = pattern.exec(parts[at]?.field ?? '') ?? [];
    const end = found === undefined ? at + 1 : endOf(parts, at, `${found}[`);
    const run = parts.slice(at, end);
    result.push(...(found === undefined ? run : sortedRun(run, found, by)));
    at = end;
  }
  return result;
}

function endOf(parts: readonly Part[], from: number, prefix: string): number {
  let end = from;
  while (parts[end]?.field.startsWith(prefix)) end += 1;
  return end;
}

/** All entries of one array. */
function sortedRun(parts: readonly Part[], array: string, by: string): Part[] {
  const entries: Part[][] = [];
  for (const part of parts) (entries[indexOf(part, array)] ??= []).push(part);
  const keyed = entries.map((entry, index) => {
    const key = entry.find(({ field }) => field === `${array}[${index}].${by}`)?.bytes ?? Buffer.alloc(0);
    return { entry, key };
  });
  keyed.sort((one, other) => Buffer.compare(one.key, other.key));
  return keyed.flatMap(({ entry }, index) =>
    entry.map((part) => {
      const behind = part.field.slice(part.field.indexOf(']', array.length));
      return { ...part, field: `${array}[${index}${behind}` };
    }),
  );
}

function indexOf({ field }: Part, array: string): number {
  return Number.parseInt(field.slice(array.length + 1), 10);
}
