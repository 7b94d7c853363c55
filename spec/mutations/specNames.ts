import type { NamedSpec } from './mutation';

const ORDER = 'integration/rebalanceOrder.spec.ts';
const OWNERSHIP = 'integration/ownership.spec.ts';

const order = (test: string): NamedSpec => ({ file: ORDER, test: `on Kafka 0.8.2.2 ${test}` });
const ownership = (test: string): NamedSpec => ({ file: OWNERSHIP, test });
const unit = (file: string, test: string): NamedSpec => ({ file: `unit/${file}`, test });
const filters = (test: string): NamedSpec => ({
  ...{ file: 'integration/topicFilters.spec.ts', test: `topic filters on Kafka 0.8.2.2 ${test}` },
});

/** The specs that the mutations name. */
export const SPECS = {
  strictOrder: order(
    'the order of a rebalance R3: commits, releases, claims and reads offsets in this order, both what moves and what stays',
  ),
  lateCommit: order(
    'the order of a rebalance waits with the release for the answer to each commit, however late it is',
  ),
  firstPosition: order(
    'the order of a rebalance commits the first position of a partition too, so that no old message comes after a rebalance',
  ),
  shutdown: order(
    'the order of a rebalance shuts down in order: commit, release, end of the session; and the other member goes on from there',
  ),
  inHand: order(
    'what the application has in hand at a rebalance R14: is waited for, counts as processed, and is not repeated by the next owner',
  ),
  inHandTooLong: order(
    'what the application has in hand at a rebalance is waited for no longer than rebalance.drain.timeout.ms; done late, it neither breaks nor commits anything',
  ),
  inHandOfLostSession: order(
    'what the application has in hand at a rebalance does not keep a lost session’s partitions: they are let go while it is waited for, and never committed',
  ),
  staleAssignment: order(
    'what the application has in hand at a rebalance is waited for before the assignment, which counts who has joined meanwhile',
  ),
  commitInBetween: order(
    'a commit in the middle of a rebalance waits for its end, and is refused for a partition that has moved',
  ),
  unchangedTopic: order(
    'a rebalance without a change touches nothing when a topic is written again as it was',
  ),
  ownerNodeGone: order(
    'a rebalance without a change goes all the way when an owner node is gone that should stand',
  ),
  positionInMemory: order(
    'a partition that is claimed again goes on where it was, though nothing was ever committed',
  ),
  positionStored: order(
    'a partition that is claimed again goes on at the stored position if somebody else has moved that',
  ),
  endedSession: order(
    'a session that the server has ended commits nothing more, holds nothing more, and a new one goes on without a repeated message',
  ),
  conflict: ownership(
    'an owner node of somebody else in the way keeps nothing but the first rebalance waiting: it is tried again and again, and leaves no claim in between',
  ),
  pause: ownership(
    'an owner node of somebody else in the way is tried again after the pause that was told, and not before, as long as nothing happens',
  ),
  pauseAfterOther: ownership(
    'an owner node of somebody else in the way shortens no pause but that of the claim which met it',
  ),
  conflictWatched: ownership(
    'an owner node of somebody else in the way is watched: when it goes, its partition is claimed at once and not after the pause',
  ),
  conflictGone: ownership(
    'an owner node of somebody else in the way is looked at before the pause: if it is gone by then, there is no pause',
  ),
  createdAgain: ownership(
    'an owner node of somebody else in the way fails no attempt if it goes while it is looked at: it is created again at once',
  ),
  ownName: ownership(
    'an owner node of somebody else in the way is not taken for ours because it holds our name: it belongs to an earlier session and will vanish',
  ),
  foreignText: ownership(
    'the own owner nodes at shutdown are left alone if they have become another session’s, with another text',
  ),
  foreignSameText: ownership(
    'the own owner nodes at shutdown are left alone if they have become another session’s, with the same text',
  ),
  claimCut: ownership(
    'a connection that breaks before the answer to a claim costs nothing: the node is found to be ours',
  ),
  releaseCut: ownership(
    'a connection that breaks before the answer to a release does not take the node from the member that has it by now',
  ),
  otherTopics: ownership('the registrations of others count only for the topics that they have'),
  malformed: ownership(
    'the registrations of others stop nobody when they are malformed: consumption goes on, the fault is told, and its end is noticed',
  ),
  restarted: ownership(
    'the own registration waits for the node of the process before, which was killed and started again',
  ),
  idInUse: ownership(
    'the own registration fails after one session timeout if another member has the name, and may be tried again later',
  ),
  registrationGone: ownership(
    'the own registration is made again when it is gone, with a rebalance of everything',
  ),
  claimFails: unit(
    'zookeeper/PartitionOwnership.spec.ts',
    'a claim leaves nothing behind when one request fails, and tells that failure',
  ),
  memberLeft: unit(
    'zookeeper/ConsumerRegistry.spec.ts',
    'the members do not include one that left between the list and the look',
  ),
  unproved: unit(
    'offsets/ZookeeperOffsetStore.spec.ts',
    'asks ZooKeeper for nothing when the session of the claim is no longer proved alive',
  ),
  listenerOrder: {
    file: 'integration/rebalanceListener.spec.ts',
    test: 'is called between the commit and the release, and between the claim and the first fetch',
  },
  listenerThrows: {
    file: 'integration/rebalanceListener.spec.ts',
    test: 'a throw in beforeStartingFetchers fails the attempt, and nothing stays claimed; the next one calls again',
  },
  coordinatorAway: unit(
    'ZKRebalanceListener.spec.ts',
    'a group coordinator that refuses the commit of a rebalance does not keep the partitions from going on to the next owner',
  ),
  refusedFilter: {
    file: 'integration/members.spec.ts',
    test: 'the registration of another member R15: with what only Java can evaluate as white list fails the attempt and is named; what this member has is free for those who can evaluate it, until it goes',
  },
  silentCoordinator: unit(
    'ZKRebalanceListener.spec.ts',
    'a shutdown waits for a silent coordinator once, however many commits wait for it',
  ),
  othersMeanwhile: {
    file: 'integration/rebalanceListener.spec.ts',
    test: 'commits of others in the meantime wait for the end of the rebalance, and are not told that nothing is to be stored',
  },
  laterTopic: filters(
    'a white list takes the topics that match, each shared by all streams, and those that come later',
  ),
  internalTopics: filters(
    'a black list takes all others, but no internal topic unless exclude.internal.topics is false',
  ),
  topicsOfOthers: {
    file: 'integration/roundRobin.spec.ts',
    test: 'a topic that only others want counts, too: its new partitions move the turn of all',
  },
} as const satisfies Readonly<Record<string, NamedSpec>>;
