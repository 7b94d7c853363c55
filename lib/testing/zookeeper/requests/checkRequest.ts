import { PERMISSION } from '../acl/AccessEntry';
import type { JuteReader } from '../jute/JuteReader';
import { requireChangeable } from '../tree/paths';
import { nextVersion } from '../tree/Transaction';
import type { WriteRequest } from './WriteRequest';

const CHECKED = 13;

/** Changes nothing, but is a transaction. */
export function readCheck(request: JuteReader): WriteRequest {
  const asked = request.textOrNull();
  const version = request.int32();
  return {
    ...{ type: 'check', path: asked ?? '', data: null, resultType: CHECKED },
    prepare: (transaction) => {
      const path = requireChangeable(asked, transaction.release);
      const node = transaction.node(path);
      transaction.requireAccess(node, PERMISSION.read, path);
      nextVersion(node.version, version, path);
      return { kind: 'check', path };
    },
    writeResult: () => undefined,
  };
}
