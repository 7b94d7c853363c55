import { requireAccess } from '../acl/access';
import { PERMISSION } from '../acl/AccessEntry';
import { ZookeeperFault } from '../ZookeeperFault';
import type { Handler } from './RequestContext';

export const handlePing: Handler = (_request, context) => {
  context.mayFail('ping');
  return 'answered';
};

/** All servers have the same tree, so there is nothing to wait for. */
export const handleSync: Handler = (request, context, answer) => {
  const path = request.textOrNull();
  context.mayFail('sync', path ?? '');
  answer.text(path);
  return 'answered';
};

export const handleCloseSession: Handler = (_request, context) => {
  context.mayFail('closeSession');
  context.database.closeSession(context.session, context.connection);
  return 'answered';
};

export const handleWhoAmI: Handler = (_request, context, answer) => {
  context.mayFail('whoAmI');
  answer.list(context.author.ids, ({ scheme, id }) => {
    answer.text(scheme).text(scheme === 'digest' ? id.slice(0, id.indexOf(':')) : id);
  });
  return 'answered';
};

/** Those of the session that asks. */
export const handleGetEphemerals: Handler = (request, context, answer) => {
  const prefix = (request.textOrNull() ?? '').trim();
  context.mayFail('ephemerals', prefix);
  const { database, session } = context;
  const paths = database.tree.ephemerals.get(session.id)?.clone().values() ?? [];
  const wanted = prefix === '/' ? paths : paths.filter((path) => path.startsWith(prefix));
  answer.list(wanted, (path) => answer.text(path));
  return 'answered';
};

export const handleGetAllChildrenNumber: Handler = (request, context, answer) => {
  const path = request.text();
  context.mayFail('allChildrenNumber', path);
  const { tree } = context.database;
  requireAccess(tree.node(path).acl, PERMISSION.read, context.author.ids, path);
  answer.int32(tree.countBelow(path));
  return 'answered';
};

/** Nobody may change the ensemble by default; the refusal is a transaction. */
export const handleReconfig: Handler = (request, context) => {
  for (let texts = 0; texts < 3; texts += 1) request.textOrNull();
  request.int64();
  context.mayFail('reconfig');
  context.database.takeZxid();
  throw new ZookeeperFault('RECONFIG_DISABLED', 'the ensemble is not to be changed');
};
