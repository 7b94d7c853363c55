import { describeGroupsRoute } from './describeGroupsRoute';
import { findCoordinatorRoute } from './findCoordinatorRoute';
import { heartbeatRoute } from './heartbeatRoute';
import { joinGroupRoute } from './joinGroupRoute';
import { leaveGroupRoute } from './leaveGroupRoute';
import { listGroupsRoute } from './listGroupsRoute';
import { offsetCommitRoute } from './offsetCommitRoute';
import { offsetFetchRoute } from './offsetFetchRoute';
import { syncGroupRoute } from './syncGroupRoute';

/** The requests of groups and of stored offsets; which of their versions there are depends on the release. */
export const groupRoutes = [
  offsetCommitRoute,
  offsetFetchRoute,
  findCoordinatorRoute,
  joinGroupRoute,
  heartbeatRoute,
  leaveGroupRoute,
  syncGroupRoute,
  describeGroupsRoute,
  listGroupsRoute,
] as const;
