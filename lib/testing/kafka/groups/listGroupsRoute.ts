import { NONE } from '../errorCodes';
import { listGroups } from '../protocol/listGroups';
import { route } from '../requests/Route';

/** The only kind of group there is here. */
const GROUP_TYPE = 'classic';

export const listGroupsRoute = route(listGroups, ({ statesFilter, typesFilter }, { brokerId, cluster }) => {
  const states = new Set(statesFilter.map((state) => state.toLowerCase()));
  const isWantedType =
    typesFilter.length === 0 || typesFilter.some((type) => type.toLowerCase() === GROUP_TYPE);
  const groups = isWantedType ? cluster.groups.groupsOf(brokerId) : [];
  return {
    errorCode: NONE,
    groups: groups
      .filter(({ state }) => states.size === 0 || states.has(state.toLowerCase()))
      .map(({ id, protocolType, state }) => ({
        groupId: id,
        protocolType: protocolType ?? '',
        groupState: state,
        groupType: GROUP_TYPE,
      })),
  };
});
