import type { Shape } from './answerShapes';
import { JuteWriter } from './JuteWriter';

/** What a client asks, encoded by the specs themselves. */
export interface ZookeeperRequest {
  /** For people: what differs is named by it. */
  readonly label: string;
  readonly type: number;
  /** What follows xid and type. */
  readonly body: Buffer;
  /** How the answer looks behind its header. */
  readonly shape: Shape;
  /** Where clients always use the same one; else they count. */
  readonly xid?: number;
}

export interface Acl {
  readonly permissions: number;
  readonly scheme: string | null;
  readonly id: string | null;
}

export interface CreateOptions {
  /** 0 persistent, 1 ephemeral, 2 sequential, 3 both; default 0. */
  readonly flags?: number;
  /** Default OPEN. */
  readonly acl?: readonly Acl[] | null;
}

export const PERMISSIONS = { read: 1, write: 2, create: 4, delete: 8, admin: 16, all: 31 } as const;

/** Everybody may do everything. */
export const OPEN: readonly Acl[] = [{ permissions: PERMISSIONS.all, scheme: 'world', id: 'anyone' }];

export function create(
  path: string | null,
  data: Buffer | string | null = '',
  options: CreateOptions = {},
): ZookeeperRequest {
  return creation('create', 1, 'path', path, data, options);
}

/** As create, with any type that has the same request. */
export function creation(
  name: string,
  type: number,
  shape: Shape,
  path: string | null,
  data: Buffer | string | null,
  { flags = 0, acl = OPEN }: CreateOptions,
): ZookeeperRequest {
  const writer = new JuteWriter().buffer(path).buffer(data);
  writeAcl(writer, acl).int32(flags);
  const how = flags === 0 ? '' : ` flags ${flags}`;
  return { label: `${name} ${show(path)}${how}`, type, body: writer.bytes, shape };
}

export function remove(path: string | null, version = -1): ZookeeperRequest {
  return versioned('delete', 2, 'nothing', path, version);
}

/** A top-level check answers nothing that makes sense; within multi it is one of the operations. */
export function check(path: string | null, version: number): ZookeeperRequest {
  return versioned('check', 13, 'stat', path, version);
}

export function exists(path: string | null, watch = false): ZookeeperRequest {
  return reading('exists', 3, 'stat', path, watch);
}

export function getData(path: string | null, watch = false): ZookeeperRequest {
  return reading('getData', 4, 'dataStat', path, watch);
}

export function getChildren(path: string | null, watch = false): ZookeeperRequest {
  return reading('getChildren', 8, 'names', path, watch);
}

export function getChildren2(path: string | null, watch = false): ZookeeperRequest {
  return reading('getChildren2', 12, 'namesStat', path, watch);
}

export function setData(path: string | null, data: Buffer | string | null, version = -1): ZookeeperRequest {
  const body = new JuteWriter().buffer(path).buffer(data).int32(version).bytes;
  return { label: `setData ${show(path)} version ${version}`, type: 5, body, shape: 'stat' };
}

export function getAcl(path: string | null): ZookeeperRequest {
  return pathOnly('getACL', 6, 'aclStat', path);
}

export function setAcl(path: string | null, acl: readonly Acl[] | null, version = -1): ZookeeperRequest {
  const writer = new JuteWriter().buffer(path);
  const body = writeAcl(writer, acl).int32(version).bytes;
  return { label: `setACL ${show(path)} version ${version}`, type: 7, body, shape: 'stat' };
}

export function sync(path: string | null): ZookeeperRequest {
  return pathOnly('sync', 9, 'path', path);
}

export function ping(): ZookeeperRequest {
  return { label: 'ping', type: 11, body: Buffer.alloc(0), shape: 'nothing', xid: -2 };
}

/** A transaction of requests that may be its operations. */
export function multi(operations: readonly ZookeeperRequest[], name = 'multi', type = 14): ZookeeperRequest {
  const writer = new JuteWriter();
  for (const operation of operations) {
    writer.int32(operation.type).boolean(false).int32(-1).raw(operation.body);
  }
  writer.int32(-1).boolean(true).int32(-1);
  const label = `${name} [${operations.map((operation) => operation.label).join(', ')}]`;
  return { label, type, body: writer.bytes, shape: 'results' };
}

export function auth(scheme: string | null, credentials: Buffer | string | null): ZookeeperRequest {
  const body = new JuteWriter().int32(0).buffer(scheme).buffer(credentials).bytes;
  return { label: `auth ${show(scheme)}`, type: 100, body, shape: 'nothing', xid: -4 };
}

export interface WatchedPaths {
  readonly data?: readonly string[];
  readonly exist?: readonly string[];
  readonly child?: readonly string[];
}

export function setWatches(
  zxid: bigint,
  { data = [], exist = [], child = [] }: WatchedPaths,
): ZookeeperRequest {
  const writer = new JuteWriter().int64(zxid);
  for (const paths of [data, exist, child]) writer.list(paths, (path) => writer.buffer(path));
  return { label: 'setWatches', type: 101, body: writer.bytes, shape: 'nothing', xid: -8 };
}

export function closeSession(): ZookeeperRequest {
  return { label: 'closeSession', type: -11, body: Buffer.alloc(0), shape: 'nothing' };
}

/** Any type and any body. */
export function unusual(
  label: string,
  type: number,
  body: Buffer = Buffer.alloc(0),
  shape: Shape = 'nothing',
): ZookeeperRequest {
  return { label, type, body, shape };
}

export function pathOnly(name: string, type: number, shape: Shape, path: string | null): ZookeeperRequest {
  return { label: `${name} ${show(path)}`, type, body: new JuteWriter().buffer(path).bytes, shape };
}

function reading(
  name: string,
  type: number,
  shape: Shape,
  path: string | null,
  watch: boolean,
): ZookeeperRequest {
  const body = new JuteWriter().buffer(path).boolean(watch).bytes;
  return { label: `${name} ${show(path)}${watch ? ' and watch' : ''}`, type, body, shape };
}

export function versioned(
  name: string,
  type: number,
  shape: Shape,
  path: string | null,
  version: number,
): ZookeeperRequest {
  const body = new JuteWriter().buffer(path).int32(version).bytes;
  return { label: `${name} ${show(path)} version ${version}`, type, body, shape };
}

function writeAcl(writer: JuteWriter, acl: readonly Acl[] | null): JuteWriter {
  return writer.list(acl, ({ permissions, scheme, id }) =>
    writer.int32(permissions).buffer(scheme).buffer(id),
  );
}

/** A path for people. */
export function show(text: string | null): string {
  return text === null ? 'null' : JSON.stringify(text).slice(1, -1);
}
