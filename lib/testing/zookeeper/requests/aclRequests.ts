import { isAllowed, requireAccess } from '../acl/access';
import { PERMISSION, writeAccessList, type AccessEntry } from '../acl/AccessEntry';
import { writeStat } from '../tree/TreeNode';
import type { Handler } from './RequestContext';

/** The older release shows access lists to everyone. */
export const handleGetAcl: Handler = (request, context, answer) => {
  const path = request.text();
  context.mayFail('getAcl', path);
  const { database, author } = context;
  const node = database.tree.node(path);
  let { acl } = node;
  if (database.release === '3.8') {
    requireAccess(acl, PERMISSION.read | PERMISSION.admin, author.ids, path);
    if (!isAllowed(acl, PERMISSION.admin, author.ids)) acl = acl.map(withoutSecret);
  }
  writeAccessList(acl, answer);
  writeStat(node.stat(), answer);
  return 'answered';
};

/** Who may only read does not see what belongs to a password. */
function withoutSecret(entry: AccessEntry): AccessEntry {
  return entry.scheme === 'digest' ? { ...entry, id: entry.id.replace(/:.*/, ':x') } : entry;
}
