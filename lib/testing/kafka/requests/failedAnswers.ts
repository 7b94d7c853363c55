import type { Api } from '../protocol/Api';
import { apiVersions } from '../protocol/apiVersions';
import { describeGroups } from '../protocol/describeGroups';
import { fetch } from '../protocol/fetch';
import { findCoordinator } from '../protocol/findCoordinator';
import { heartbeat } from '../protocol/heartbeat';
import { initProducerId } from '../protocol/initProducerId';
import { joinGroup } from '../protocol/joinGroup';
import { leaveGroup } from '../protocol/leaveGroup';
import { listGroups } from '../protocol/listGroups';
import { listOffsets } from '../protocol/listOffsets';
import { metadata } from '../protocol/metadata';
import { offsetCommit } from '../protocol/offsetCommit';
import { offsetFetch } from '../protocol/offsetFetch';
import { produce } from '../protocol/produce';
import { syncGroup } from '../protocol/syncGroup';
import { failedApiVersions } from './apiVersions';
import { failedFetch } from './fetch';
import { failedInitProducerId } from './initProducerId';
import { failedListOffsets } from './listOffsets';
import { failedMetadata } from './metadata';
import { failedProduce } from './produce';
import type { RequestContext } from './Route';
import { topicNamesById } from './topicNamesById';

/** How an API tells that a request has failed. */
export interface FailedAnswer<Q, A> {
  readonly api: Api<Q, A>;
  /** The answer with the error in every place that has one. */
  answer(request: Q, errorCode: number, context: RequestContext): A;
  /** Topics that the request names; none for those that are about no topic. */
  topics(request: Q, context: RequestContext): readonly (string | null | undefined)[];
}

function failing<Q, A>(
  api: Api<Q, A>,
  answer: FailedAnswer<Q, A>['answer'],
  topics: FailedAnswer<Q, A>['topics'] = () => [],
): FailedAnswer<Q, A> {
  return { api, answer, topics };
}

const names = (topics: readonly { readonly name: string | null }[] | null): readonly (string | null)[] =>
  (topics ?? []).map(({ name }) => name);

const noCoordinator = (errorCode: number) => ({ errorCode, nodeId: -1, host: '', port: -1 });

const failedOffsets = (
  topics: readonly { readonly name: string; readonly partitionIndexes: readonly number[] }[] | null,
  errorCode: number,
) =>
  (topics ?? []).map(({ name, partitionIndexes }) => ({
    name,
    partitions: partitionIndexes.map((partitionIndex) => ({
      partitionIndex,
      committedOffset: -1,
      errorCode,
    })),
  }));

/** By the name of the API. */
export const FAILED_ANSWERS = {
  Produce: failing(produce, failedProduce, ({ topicData }) => names(topicData)),
  Fetch: failing(fetch, failedFetch, ({ topics }, { cluster }) => {
    const byId = topicNamesById(cluster);
    return topics.map(({ topic, topicId }) => (topic === '' ? byId.get(topicId) : topic));
  }),
  ListOffsets: failing(listOffsets, failedListOffsets, ({ topics }) => names(topics)),
  Metadata: failing(metadata, failedMetadata, ({ topics }) => names(topics)),
  OffsetCommit: failing(
    offsetCommit,
    ({ topics }, errorCode) => ({
      topics: topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode })),
      })),
    }),
    ({ topics }) => names(topics),
  ),
  OffsetFetch: failing(
    offsetFetch,
    ({ topics, groups }, errorCode) => ({
      topics: failedOffsets(topics, errorCode),
      errorCode,
      groups: groups.map((group) => ({
        groupId: group.groupId,
        topics: failedOffsets(group.topics, errorCode),
        errorCode,
      })),
    }),
    ({ topics, groups }) => [topics, ...groups.map((group) => group.topics)].flatMap(names),
  ),
  FindCoordinator: failing(findCoordinator, ({ coordinatorKeys }, errorCode) => ({
    ...noCoordinator(errorCode),
    coordinators: coordinatorKeys.map((key) => ({ key, ...noCoordinator(errorCode) })),
  })),
  JoinGroup: failing(joinGroup, ({ memberId }, errorCode) => ({ errorCode, memberId })),
  Heartbeat: failing(heartbeat, (_request, errorCode) => ({ errorCode })),
  LeaveGroup: failing(leaveGroup, (_request, errorCode) => ({ errorCode })),
  SyncGroup: failing(syncGroup, (_request, errorCode) => ({ errorCode })),
  DescribeGroups: failing(describeGroups, ({ groups }, errorCode) => ({
    groups: groups.map((groupId) => ({ errorCode, groupId })),
  })),
  ListGroups: failing(listGroups, (_request, errorCode) => ({ errorCode })),
  ApiVersions: failing(apiVersions, (_request, errorCode) => failedApiVersions(errorCode)),
  InitProducerId: failing(initProducerId, (_request, errorCode) => failedInitProducerId(errorCode)),
};
