import { joinGroup } from '../protocol/joinGroup';
import { route } from '../requests/Route';

const FIRST_WITH_REBALANCE_TIMEOUT = 1;
const FIRST_WITH_REQUIRED_MEMBER_ID = 4;
const FIRST_WITH_SKIPPED_ASSIGNMENT = 9;

export const joinGroupRoute = route(joinGroup, (request, { header, clientHost, brokerId, cluster }) => {
  const { version, clientId } = header;
  const { groupId, sessionTimeoutMs, groupInstanceId } = request;
  return cluster.groups.join(
    groupId,
    {
      ...request,
      rebalanceTimeoutMs:
        version < FIRST_WITH_REBALANCE_TIMEOUT ? sessionTimeoutMs : request.rebalanceTimeoutMs,
      clientId,
      clientHost,
      mustKnowMemberId: version >= FIRST_WITH_REQUIRED_MEMBER_ID && groupInstanceId === null,
      canSkipAssignment: version >= FIRST_WITH_SKIPPED_ASSIGNMENT,
    },
    brokerId,
  );
});
