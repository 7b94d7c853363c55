import { NONE } from '../errorCodes';
import { leaveGroup } from '../protocol/leaveGroup';
import { route } from '../requests/Route';

const FIRST_WITH_SEVERAL_MEMBERS = 3;

export const leaveGroupRoute = route(leaveGroup, (request, { header, brokerId, cluster }) => {
  const isForSeveral = header.version >= FIRST_WITH_SEVERAL_MEMBERS;
  const members = isForSeveral ? request.members : [{ memberId: request.memberId, groupInstanceId: null }];
  const codes = cluster.groups.leave(request.groupId, members, brokerId);
  if (typeof codes === 'number') return { errorCode: codes };
  if (!isForSeveral) return { errorCode: codes[0] ?? NONE };
  return {
    errorCode: NONE,
    members: members.map(({ memberId, groupInstanceId }, index) => ({
      memberId,
      groupInstanceId,
      errorCode: codes[index] ?? NONE,
    })),
  };
});
