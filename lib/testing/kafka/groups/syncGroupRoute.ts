import { INCONSISTENT_GROUP_PROTOCOL } from '../errorCodes';
import { syncGroup } from '../protocol/syncGroup';
import { route } from '../requests/Route';
import { refusedSync } from './memberAnswers';

const FIRST_WITH_PROTOCOL = 5;

export const syncGroupRoute = route(syncGroup, (request, { header, brokerId, cluster }) => {
  const lacksProtocol = request.protocolType === null || request.protocolName === null;
  if (header.version >= FIRST_WITH_PROTOCOL && lacksProtocol) return refusedSync(INCONSISTENT_GROUP_PROTOCOL);
  return cluster.groups.sync(request.groupId, request, brokerId);
});
