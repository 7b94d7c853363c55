import type { JuteReader } from '../jute/JuteReader';
import type { JuteWriter } from '../jute/JuteWriter';

/** Bits of `perms`. */
export const PERMISSION = { read: 1, write: 2, create: 4, delete: 8, admin: 16 } as const;

/** Who a client has proved to be, or who is meant by an entry of an access list. */
export interface AccessId {
  readonly scheme: string;
  readonly id: string;
}

/** One entry of a node's access list. */
export interface AccessEntry extends AccessId {
  readonly perms: number;
}

/** An entry as a client may write it. */
export interface AskedEntry {
  readonly perms: number;
  readonly scheme: string | null;
  readonly id: string | null;
}

export const OPEN: readonly AccessEntry[] = [{ perms: 31, scheme: 'world', id: 'anyone' }];
export const READ_ONLY: readonly AccessEntry[] = [{ perms: PERMISSION.read, scheme: 'world', id: 'anyone' }];

export function readAccessList(request: JuteReader): readonly AskedEntry[] | null {
  return request.listOrNull(() => ({
    perms: request.int32(),
    scheme: request.textOrNull(),
    id: request.textOrNull(),
  }));
}

export function writeAccessList(entries: readonly AccessEntry[], answer: JuteWriter): void {
  answer.list(entries, ({ perms, scheme, id }) => answer.int32(perms).text(scheme).text(id));
}
