import { pack, type Field } from './pack';
import type { Answer, RawClient } from './RawClient';
import type { UnpackedStat } from './Unpacker';

/** Types of requests, as ZooKeeper numbers them. */
export const OP = {
  create: 1,
  delete: 2,
  exists: 3,
  getData: 4,
  setData: 5,
  getAcl: 6,
  setAcl: 7,
  getChildren: 8,
  sync: 9,
  ping: 11,
  getChildren2: 12,
  check: 13,
  multi: 14,
  create2: 15,
  reconfig: 16,
  checkWatches: 17,
  removeWatches: 18,
  createContainer: 19,
  deleteContainer: 20,
  createTtl: 21,
  multiRead: 22,
  auth: 100,
  setWatches: 101,
  sasl: 102,
  getEphemerals: 103,
  getAllChildrenNumber: 104,
  setWatches2: 105,
  addWatch: 106,
  whoAmI: 107,
  closeSession: -11,
} as const;

export const ERROR = {
  runtimeInconsistency: -2,
  marshalling: -5,
  unimplemented: -6,
  badArguments: -8,
  noNode: -101,
  noAuth: -102,
  badVersion: -103,
  noChildrenForEphemerals: -108,
  nodeExists: -110,
  notEmpty: -111,
  invalidAcl: -114,
  authFailed: -115,
  noWatcher: -121,
  reconfigDisabled: -123,
} as const;

export const EPHEMERAL = 1;
export const SEQUENTIAL = 2;

export type AclEntry = readonly [perms: number, scheme: string, id: string];

export function acl(...entries: readonly AclEntry[]): Field {
  return { raw: pack(entries.length, ...entries.flat()) };
}

export const OPEN_ACL = acl([31, 'world', 'anyone']);

/** One part of a multi. */
export interface Part {
  readonly type: number;
  readonly fields: readonly Field[];
}

export function part(type: number, ...fields: readonly Field[]): Part {
  return { type, fields };
}

/** What stands in a multi. */
export function parts(...list: readonly Part[]): Field {
  const packed = list.map(({ type, fields }) => pack(type, false, -1, ...fields));
  return { raw: Buffer.concat([...packed, pack(-1, true, -1)]) };
}

/** @returns the path */
export async function create(
  client: RawClient,
  path: string,
  { data = '', flags = 0 }: { readonly data?: string; readonly flags?: number } = {},
): Promise<string> {
  return textOf(await client.ask(OP.create, path, data, OPEN_ACL, flags));
}

export async function set(client: RawClient, path: string, data: string): Promise<UnpackedStat> {
  return statOf(await client.ask(OP.setData, path, data, -1));
}

export async function remove(client: RawClient, path: string): Promise<void> {
  succeeded(await client.ask(OP.delete, path, -1));
}

export async function statAt(client: RawClient, path: string): Promise<UnpackedStat> {
  return statOf(await client.ask(OP.exists, path, false));
}

export function succeeded(answer: Answer): Answer {
  if (answer.error !== 0) throw new Error(`answer ${answer.xid} is error ${answer.error}`);
  return answer;
}

function textOf(answer: Answer): string {
  return succeeded(answer).body.text() ?? '';
}

function statOf(answer: Answer): UnpackedStat {
  return succeeded(answer).body.stat();
}
