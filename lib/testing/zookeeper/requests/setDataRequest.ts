import { PERMISSION } from '../acl/AccessEntry';
import type { JuteReader } from '../jute/JuteReader';
import { requireChangeable } from '../tree/paths';
import { nextVersion, type Transaction } from '../tree/Transaction';
import { writeStat } from '../tree/TreeNode';
import type { Txn } from '../tree/Txn';
import type { WriteRequest } from './WriteRequest';

const SET = 5;

export function readSetData(request: JuteReader): WriteRequest {
  return setDataRequest(request.textOrNull(), request.bytesOrNull(), request.int32());
}

/** @param version - -1 for any */
export function setDataRequest(path: string | null, data: Buffer | null, version: number): WriteRequest {
  return {
    ...{ type: 'set', path: path ?? '', data, resultType: SET },
    prepare: (transaction) => prepareSetData(path, data, version, transaction),
    writeResult: ({ stat }, answer) => {
      if (stat !== null) writeStat(stat, answer);
    },
  };
}

function prepareSetData(
  asked: string | null,
  data: Buffer | null,
  version: number,
  transaction: Transaction,
): Txn {
  const path = requireChangeable(asked, transaction.release);
  const node = transaction.node(path);
  transaction.requireAccess(node, PERMISSION.write, path);
  const next = nextVersion(node.version, version, path);
  transaction.prepare(path, node, { version: next });
  return { kind: 'set', path, data, version: next };
}
