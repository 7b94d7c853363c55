import { JuteWriter } from './JuteWriter';
import {
  creation,
  multi,
  pathOnly,
  show,
  type CreateOptions,
  type WatchedPaths,
  type ZookeeperRequest,
} from './requests';

/** Requests that 3.4 does not know. */

export interface WatchedTrees extends WatchedPaths {
  readonly persistent?: readonly string[];
  readonly recursive?: readonly string[];
}

export function create2(
  path: string | null,
  data: Buffer | string | null = '',
  options: CreateOptions = {},
): ZookeeperRequest {
  return creation('create2', 15, 'pathStat', path, data, options);
}

/** Default flags: 4, container. */
export function createContainer(path: string | null, { flags = 4 }: CreateOptions = {}): ZookeeperRequest {
  return creation('createContainer', 19, 'pathStat', path, '', { flags });
}

/** Default flags: 5, persistent with a time to live. */
export function createTtl(
  path: string | null,
  ttlMs: bigint,
  { flags = 5 }: CreateOptions = {},
): ZookeeperRequest {
  const request = creation('createTTL', 21, 'pathStat', path, '', { flags });
  return { ...request, body: new JuteWriter().raw(request.body).int64(ttlMs).bytes };
}

export function deleteContainer(path: string | null): ZookeeperRequest {
  return pathOnly('deleteContainer', 20, 'nothing', path);
}

export function getAllChildrenNumber(path: string | null): ZookeeperRequest {
  return pathOnly('getAllChildrenNumber', 104, 'number', path);
}

export function getEphemerals(prefix: string | null): ZookeeperRequest {
  return pathOnly('getEphemerals', 103, 'names', prefix);
}

export function whoAmI(): ZookeeperRequest {
  return { label: 'whoAmI', type: 107, body: Buffer.alloc(0), shape: 'clients' };
}

/** @param mode - 0 persistent, 1 recursive */
export function addWatch(path: string, mode: number): ZookeeperRequest {
  return watching(`addWatch mode ${mode}`, 106, path, mode, 'number');
}

/** @param type - 1 children, 2 data, 3 any */
export function checkWatches(path: string | null, type: number): ZookeeperRequest {
  return watching(`checkWatches type ${type}`, 17, path, type);
}

/** @param type - as in checkWatches */
export function removeWatches(path: string | null, type: number): ZookeeperRequest {
  return watching(`removeWatches type ${type}`, 18, path, type);
}

export function multiRead(operations: readonly ZookeeperRequest[]): ZookeeperRequest {
  return multi(operations, 'multiRead', 22);
}

export function setWatches2(
  zxid: bigint,
  { data = [], exist = [], child = [], persistent = [], recursive = [] }: WatchedTrees,
): ZookeeperRequest {
  const writer = new JuteWriter().int64(zxid);
  for (const paths of [data, exist, child, persistent, recursive]) {
    writer.list(paths, (path) => writer.buffer(path));
  }
  return { label: 'setWatches2', type: 105, body: writer.bytes, shape: 'nothing', xid: -8 };
}

function watching(
  name: string,
  type: number,
  path: string | null,
  mode: number,
  shape: 'number' | 'nothing' = 'nothing',
): ZookeeperRequest {
  return {
    label: `${name} ${show(path)}`,
    type,
    body: new JuteWriter().buffer(path).int32(mode).bytes,
    shape,
  };
}
