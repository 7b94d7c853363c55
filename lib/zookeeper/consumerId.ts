import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/** What a generated id is made of; replaced in specs. */
export interface GeneratedIdParts {
  readonly host: string;
  readonly nowMs: number;
  readonly uuid: string;
}

/**
 * The name of a member in its group: `group_consumerId`, or `group_host-millis-8hex` if no consumer.id is set.
 * Call it once per connector: the name stays over new sessions.
 */
export function consumerIdString(
  group: string,
  consumerId?: string,
  parts: GeneratedIdParts = { host: hostname(), nowMs: Date.now(), uuid: randomUUID() },
): string {
  if (consumerId !== undefined) return `${group}_${consumerId}`;
  // A host's name is set by its owner and may hold what a znode's name may not, above all a slash.
  const host = parts.host.replace(/[^a-zA-Z0-9._-]/g, '_');
  return `${group}_${host}-${parts.nowMs}-${uuidPrefix(parts.uuid)}`;
}

/** As Java's Long.toHexString prints the high half: without leading zeros, of which the first 8 digits are taken. */
function uuidPrefix(uuid: string): string {
  return uuid.replaceAll('-', '').slice(0, 16).replace(/^0+/, '').slice(0, 8);
}

/** Also the text of an owner node. The same numbers are used again for each topic. */
export function threadId(consumerId: string, n: number): string {
  return `${consumerId}-${n}`;
}

/** The order in which assignors walk through threads: plain UTF-16, so `c-10` is before `c-2`, as in Java. */
export function compareThreadIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The member that a thread belongs to; a text without a thread number is returned as it is. */
export function consumerOfThread(thread: string): string {
  const end = thread.lastIndexOf('-');
  return end === -1 ? thread : thread.slice(0, end);
}
