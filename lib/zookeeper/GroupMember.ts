import type { Assignment, TopicToAssign } from '../assignment/assignment';
import { GroupWants } from '../assignment/GroupWants';
import { excludedTopics } from '../assignment/internalTopics';
import { rangeAssign } from '../assignment/rangeAssignor';
import { refusedByOldMembers, roundRobinAssign } from '../assignment/roundRobinAssignor';
import type { ResolvedConfig } from '../config/configTable';
import { parseBootstrapServers } from '../config/bootstrapServers';
import { parseZookeeperAuth } from '../config/zookeeperAuth';
import type { BrokerEndpoint } from '../kafka/brokerVersions';
import type { Connect } from '../kafka/metadataFromAnyOf';
import type { Logger } from '../logger';
import { offsetStoreOf } from '../offsets/offsetStoreOf';
import type { OffsetStore } from '../offsets/OffsetStore';
import { ClusterView } from './ClusterView';
import { parseConnectString } from './connectString';
import { consumerOfThread } from './consumerId';
import { ConsumerRegistry } from './ConsumerRegistry';
import { PartitionOwnership, type AssignedPartition } from './PartitionOwnership';
import { BROKER_TOPICS_PATH, CONSUMERS_PATH, GroupPaths } from './paths';
import type { Registration, Subscription } from './registration';
import { ZookeeperSession, type SessionState } from './ZookeeperSession';

/** What a member is told while it lives. */
export interface GroupMemberEvents {
  membersChanged(): void;
  topicChanged(): void;
  /** An owner node that stood in the way of a claim has gone. */
  conflictGone(): void;
  stateChanged(state: SessionState): void;
}

export interface GroupMemberOptions {
  readonly config: ResolvedConfig;
  readonly consumerId: string;
  readonly subscription: Subscription;
  readonly connect: Connect;
  readonly logger: Logger;
  readonly events: GroupMemberEvents;
  readonly signal: AbortSignal;
}

/** Who should consume what, from one reading of ZooKeeper. */
export interface Plan {
  /** The partitions of this member's threads, by topic and partition. */
  readonly mine: readonly AssignedPartition[];
  /** What everyone gets, of the topics that were looked at. */
  readonly assignment: Assignment;
  /** Everything that went into it, as a text to compare. */
  readonly inputs: string;
  /** This member was not among the members: it has registered again, and the others have counted it out. */
  readonly wasMissing: boolean;
}

/** This member of the group within one ZooKeeper session: what it sees, what it claims. A new session is a new one. */
export class GroupMember {
  readonly session: ZookeeperSession;
  readonly cluster: ClusterView;
  readonly ownership: PartitionOwnership;
  readonly offsets: OffsetStore;
  readonly #options: GroupMemberOptions;
  readonly #registry: ConsumerRegistry;
  /** Topics that no filter matches. */
  readonly #excluded: readonly string[];
  /** Topics that were not there at the last look: the log has been told. */
  #absent: ReadonlySet<string> = new Set();
  /** What old members would refuse at the last look: the log has been told. */
  #refusal: string | null = null;

  private constructor(options: GroupMemberOptions, session: ZookeeperSession, paths: GroupPaths) {
    this.session = session;
    const { config, connect, logger, signal } = options;
    this.cluster = new ClusterView({
      ...{ session, connect, logger, signal },
      protocol: config['security.protocol'],
      bootstrap: bootstrapOf(config),
    });
    this.ownership = new PartitionOwnership(session, paths);
    this.offsets = offsetStoreOf({ config, session, paths, cluster: this.cluster, logger });
    this.#options = options;
    this.#excluded = excludedTopics(config);
    this.#registry = new ConsumerRegistry(session, paths, options.consumerId, options.subscription);
  }

  /** Opens a session and registers in it. Leaves nothing behind when it rejects. */
  static async join(options: GroupMemberOptions): Promise<GroupMember> {
    const { config, logger, signal, events } = options;
    const paths = new GroupPaths(config['group.id']);
    const { hosts: servers, chroot } = parseConnectString(config['zookeeper.connect']);
    const auth = config['zookeeper.auth'];
    const session = await ZookeeperSession.open({
      ...{ servers, chroot, logger, signal },
      sessionTimeoutMs: config['zookeeper.session.timeout.ms'],
      connectionTimeoutMs: config['zookeeper.connection.timeout.ms'],
      credentials: auth === undefined ? undefined : parseZookeeperAuth(auth),
      // As in Kafka, all groups may be made below the parent of them all.
      accessOf: (path) => (config['zookeeper.set.acl'] && path !== CONSUMERS_PATH ? 'creator' : 'open'),
      onWatch: (path) => {
        if (path === paths.ids) events.membersChanged();
        else if (path.startsWith(BROKER_TOPICS_PATH)) events.topicChanged();
        else if (path.startsWith(`${paths.owners}/`)) events.conflictGone();
      },
      onState: (state) => events.stateChanged(state),
    });
    const member = new GroupMember(options, session, paths);
    try {
      // A member that no broker serves would take partitions from those that are served.
      await member.cluster.assertServed();
      await member.#registry.register(signal);
    } catch (error) {
      await session.close();
      throw error;
    }
    return member;
  }

  /** Reads members and partitions anew, with watches for their next change, and assigns. */
  async plan(): Promise<Plan> {
    const { consumerId, subscription, signal } = this.#options;
    let members = await this.#registry.members();
    const wasMissing = !members.has(consumerId);
    if (wasMissing) {
      await this.#registry.register(signal);
      members = await this.#registry.members();
    }
    const group = new GroupWants(members, this.#excluded, signal);
    const partitions = await this.cluster.partitionsOf(await this.#topicsToAssign(group));
    if (subscription.pattern === 'static') {
      const named = [...subscription.subscription.keys()];
      this.#warnOfAbsent(named.filter((topic) => partitions.get(topic)?.length === 0));
    }
    const assignment = this.#assign(await group.assignmentInput(partitions));
    const mine: AssignedPartition[] = [];
    for (const [topic, owners] of assignment) {
      for (const [partition, thread] of owners) {
        if (consumerOfThread(thread) === consumerId) mine.push({ topic, partition, threadId: thread });
      }
    }
    return { mine, assignment, inputs: comparable(members, partitions), wasMissing };
  }

  /** Ends session and connections. Never rejects. */
  async close(): Promise<void> {
    this.offsets.close();
    await this.session.close();
  }

  /** With range each topic is shared by itself, so only the own ones count; with roundrobin those of the whole group. */
  async #topicsToAssign(group: GroupWants): Promise<Set<string>> {
    const { config, consumerId, subscription, signal } = this.#options;
    const own = { ...subscription, path: `the subscription of ${consumerId}` };
    const isRange = config['partition.assignment.strategy'] === 'range';
    const wants = isRange ? new GroupWants(new Map([[consumerId, own]]), this.#excluded, signal) : group;
    return wants.topics(wants.hasFilters ? await this.cluster.topics() : []);
  }

  #assign(topics: readonly TopicToAssign[]): Assignment {
    const { config } = this.#options;
    if (config['partition.assignment.strategy'] === 'range') return rangeAssign(topics);
    const order = config['roundrobin.text.order'];
    if (order === '0.8') this.#warnOfRefusal(refusedByOldMembers(topics));
    return roundRobinAssign(topics, order);
  }

  #warnOfRefusal(refusal: string | null): void {
    if (refusal !== null && refusal !== this.#refusal) {
      this.#options.logger.warn(`JVM members before 0.10.2 cannot take part in this group: ${refusal}`);
    }
    this.#refusal = refusal;
  }

  /** A topic may come later; but a wrong name would look just so. */
  #warnOfAbsent(topics: readonly string[]): void {
    const { logger } = this.#options;
    const news = topics.filter((topic) => !this.#absent.has(topic));
    this.#absent = new Set(topics);
    for (const topic of news) logger.warn(`topic "${topic}" does not exist, or not yet`);
  }
}

/** Brokers of KRaft are newer than any that registers. */
const KRAFT_REGISTRATION_VERSION = 5;

function bootstrapOf(config: ResolvedConfig): BrokerEndpoint[] {
  const servers = config['bootstrap.servers'];
  if (servers === undefined) return [];
  return parseBootstrapServers(servers).map(({ host, port }) => ({
    ...{ host, port },
    registrationVersion: KRAFT_REGISTRATION_VERSION,
  }));
}

function comparable(
  members: ReadonlyMap<string, Registration>,
  partitions: ReadonlyMap<string, readonly number[]>,
): string {
  const entries = Array.from(members, ([id, { pattern, subscription }]) => [
    id,
    pattern,
    [...subscription].sort(),
  ]);
  return JSON.stringify([entries.sort(), [...partitions].sort()]);
}
