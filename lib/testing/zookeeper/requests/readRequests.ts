import { requireAccess } from '../acl/access';
import { PERMISSION } from '../acl/AccessEntry';
import type { JuteReader } from '../jute/JuteReader';
import type { JuteWriter } from '../jute/JuteWriter';
import { writeStat, type TreeNode } from '../tree/TreeNode';
import { ZookeeperFault } from '../ZookeeperFault';
import type { Handler, RequestContext } from './RequestContext';

/** A missing node can be watched, too. */
export const handleExists: Handler = (request, context, answer) => {
  const path = request.text();
  const isWatched = request.boolean();
  context.mayFail('exists', path);
  if (path.includes('\0')) throw new ZookeeperFault('BAD_ARGUMENTS', path);
  const { database, watches, connection } = context;
  const node = database.tree.find(path);
  if (node !== undefined && database.release === '3.8') {
    requireAccess(node.acl, PERMISSION.read, context.author.ids, path);
  }
  if (isWatched) watches.data.add(path, connection, 'once');
  writeStat(database.tree.node(path).stat(), answer);
  return 'answered';
};

export const handleGetData: Handler = (request, context, answer) => {
  const path = request.text();
  const isWatched = request.boolean();
  context.mayFail('get', path);
  writeData(path, context, answer);
  if (isWatched) context.watches.data.add(path, context.connection, 'once');
  return 'answered';
};

/** Names alone. */
export const handleGetChildren: Handler = (request, context, answer) => {
  answerChildren(request, context, answer);
  return 'answered';
};

/** Names, and what is to be known of their parent. */
export const handleGetChildren2: Handler = (request, context, answer) => {
  writeStat(answerChildren(request, context, answer).stat(), answer);
  return 'answered';
};

export function writeData(path: string, { database, author }: RequestContext, answer: JuteWriter): void {
  const node = database.tree.node(path);
  requireAccess(node.acl, PERMISSION.read, author.ids, path);
  writeStat(node.stat(), answer.bytes(node.data));
}

export function writeChildren(
  path: string,
  { database, author }: RequestContext,
  answer: JuteWriter,
): TreeNode {
  const node = database.tree.node(path);
  requireAccess(node.acl, PERMISSION.read, author.ids, path);
  answer.list(node.children, (name) => answer.text(name));
  return node;
}

function answerChildren(request: JuteReader, context: RequestContext, answer: JuteWriter): TreeNode {
  const path = request.text();
  const isWatched = request.boolean();
  context.mayFail('children', path);
  const node = writeChildren(path, context, answer);
  if (isWatched) context.watches.children.add(path, context.connection, 'once');
  return node;
}
