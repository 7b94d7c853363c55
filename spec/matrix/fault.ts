/** How many messages are named in one fault. */
const NAMED = 5;

/** One line about messages, if there are any, such as "messages missing: 1 (t/0@5)". */
export function fault(what: string, found: readonly (string | number)[]): string[] {
  if (found.length === 0) return [];
  const more = found.length > NAMED ? ', …' : '';
  return [`messages ${what}: ${found.length} (${found.slice(0, NAMED).join(', ')}${more})`];
}
