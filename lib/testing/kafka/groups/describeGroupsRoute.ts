import { NONE } from '../errorCodes';
import { describeGroups } from '../protocol/describeGroups';
import { route } from '../requests/Route';

/** A bit for each operation; without an authorizer a client may do all of them. */
const GROUP_OPERATIONS = 0x0148;

export const describeGroupsRoute = route(describeGroups, (request, { brokerId, cluster }) => ({
  groups: request.groups.map((groupId) => {
    const errorCode = cluster.groups.refusal(groupId, brokerId);
    if (errorCode !== null) return { errorCode, groupId };
    const { state, protocolType, protocol, members } = cluster.groups.describeGroup(groupId);
    return {
      errorCode: NONE,
      groupId,
      groupState: state,
      protocolType,
      protocolData: protocol,
      ...(request.includeAuthorizedOperations && { authorizedOperations: GROUP_OPERATIONS }),
      members: members.map(({ metadata, assignment, ...member }) => ({
        ...member,
        memberMetadata: metadata,
        memberAssignment: assignment,
      })),
    };
  }),
}));
