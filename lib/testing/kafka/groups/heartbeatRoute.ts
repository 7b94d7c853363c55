import { heartbeat } from '../protocol/heartbeat';
import { route } from '../requests/Route';

export const heartbeatRoute = route(heartbeat, (request, { brokerId, cluster }) => ({
  errorCode: cluster.groups.heartbeat(request.groupId, request, request.generationId, brokerId),
}));
