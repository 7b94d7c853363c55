import { PERMISSION } from '../acl/AccessEntry';
import type { JuteReader } from '../jute/JuteReader';
import { requireParent } from '../tree/paths';
import { nextVersion, type Transaction } from '../tree/Transaction';
import type { Txn } from '../tree/Txn';
import { ZookeeperFault } from '../ZookeeperFault';
import type { ZookeeperRelease } from '../ZookeeperRelease';
import type { WriteRequest } from './WriteRequest';

const DELETED = 2;

/** What the servers need themselves. */
const SPECIAL: Readonly<Record<ZookeeperRelease, readonly string[]>> = {
  '3.4': ['/', '/zookeeper', '/zookeeper/quota'],
  '3.8': ['/', '/zookeeper', '/zookeeper/quota', '/zookeeper/config'],
};

export function readDelete(request: JuteReader): WriteRequest {
  return deleteRequest(request.text(), request.int32());
}

/** @param version - -1 for any */
export function deleteRequest(path: string, version: number): WriteRequest {
  return {
    ...{ type: 'delete', path, data: null, resultType: DELETED },
    prepare: (transaction) => prepareDelete(path, version, transaction),
    writeResult: () => undefined,
  };
}

/**
 * What servers do themselves with empty containers. From a client its path is taken from the wrong place in the
 * frame, where there are always zeros, so it is never a path.
 */
export function readDeleteContainer(): WriteRequest {
  return {
    ...{ type: 'delete', path: '', data: null, resultType: DELETED },
    prepare: () => {
      throw new ZookeeperFault('BAD_ARGUMENTS', 'the deletion of a container');
    },
    writeResult: () => undefined,
  };
}

function prepareDelete(path: string, version: number, transaction: Transaction): Txn {
  const { release } = transaction;
  const parentPath = requireParent(path);
  if (SPECIAL[release].includes(path)) throw new ZookeeperFault('BAD_ARGUMENTS', path);
  const parent = transaction.node(parentPath);
  // The newer release does not tell those who may not delete whether there is such a node.
  if (release === '3.4') transaction.node(path);
  transaction.requireAccess(parent, PERMISSION.delete, path);
  const node = transaction.node(path);
  nextVersion(node.version, version, path);
  if (node.childCount > 0) throw new ZookeeperFault('NOT_EMPTY', path);
  transaction.prepare(parentPath, parent, { childCount: parent.childCount - 1 });
  transaction.prepareDeletion(path);
  return { kind: 'delete', path };
}
