import { fixAccessList } from '../acl/access';
import { PERMISSION, readAccessList, type AskedEntry } from '../acl/AccessEntry';
import type { JuteReader } from '../jute/JuteReader';
import { requireChangeable } from '../tree/paths';
import { nextVersion, type Transaction } from '../tree/Transaction';
import { writeStat } from '../tree/TreeNode';
import type { Txn } from '../tree/Txn';
import type { WriteRequest } from './WriteRequest';

const SET_ACL = 7;

export function readSetAcl(request: JuteReader): WriteRequest {
  const path = request.textOrNull();
  const asked = readAccessList(request);
  const version = request.int32();
  return {
    ...{ type: 'setAcl', path: path ?? '', data: null, resultType: SET_ACL },
    prepare: (transaction) => prepareSetAcl(path, asked, version, transaction),
    writeResult: ({ stat }, answer) => {
      if (stat !== null) writeStat(stat, answer);
    },
  };
}

function prepareSetAcl(
  askedPath: string | null,
  asked: readonly AskedEntry[] | null,
  version: number,
  transaction: Transaction,
): Txn {
  const { release, author } = transaction;
  const path = requireChangeable(askedPath, release);
  const acl = fixAccessList(asked, author.ids, release, path);
  const node = transaction.node(path);
  transaction.requireAccess(node, PERMISSION.admin, path);
  const next = nextVersion(node.aversion, version, path);
  transaction.prepare(path, node, { acl, aversion: next });
  return { kind: 'setAcl', path, acl, version: next };
}
