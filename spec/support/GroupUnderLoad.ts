import type { ConnectorConfig } from '../../lib';
import type { TestCluster } from './cluster/TestCluster';
import { ZookeeperAdmin } from './cluster/ZookeeperAdmin';
import { compareDeliveries, type Repetition } from './deliveries';
import { LocalMember } from './LocalMember';
import { asText, ownersOf, rangeOf } from './ownership';
import { PartitionLoads } from './produce/PartitionLoads';
import { Producer } from './produce/Producer';
import { StreamReadings } from './StreamReadings';
import { waitFor } from './waitFor';

const DEFAULT_LIMIT_MS = 40_000;
const PARTITIONS = [0, 1, 2, 3];

export interface GroupUnderLoadOptions {
  /** Where the spec looks at the group; by default at all servers. */
  readonly zookeeperConnect?: string;
  /** For everything that is waited for; default 40 s. */
  readonly limitMs?: number;
}

let made = 0;

/** A topic of its own with a load on four partitions, and the members of a group that read it. */
export class GroupUnderLoad implements AsyncDisposable {
  /** Of the group and of the topic. */
  readonly name: string;
  readonly members: LocalMember[] = [];
  /** In the order of the members. */
  readonly readings: StreamReadings[] = [];
  readonly #cluster: TestCluster;
  /** Where the spec looks at the group. */
  readonly #zookeeperConnect: string;
  readonly #limitMs: number;
  readonly #load: PartitionLoads;

  private constructor(cluster: TestCluster, name: string, options: GroupUnderLoadOptions) {
    this.name = name;
    this.#cluster = cluster;
    this.#zookeeperConnect = options.zookeeperConnect ?? cluster.zookeeperConnect;
    this.#limitMs = options.limitMs ?? DEFAULT_LIMIT_MS;
    this.#load = new PartitionLoads(cluster, name, PARTITIONS);
  }

  /** Makes the topic and starts the load. */
  static async begin(cluster: TestCluster, options: GroupUnderLoadOptions = {}): Promise<GroupUnderLoad> {
    const name = `loaded-${(made += 1)}`;
    await cluster.createTopic(name, { partitions: PARTITIONS.length });
    return new GroupUnderLoad(cluster, name, options);
  }

  /** How much the brokers have taken so far. */
  get producedCount(): number {
    return this.#load.produced.length;
  }

  /** Starts another member, and resolves when all share the partitions and have got something new. */
  async join(
    properties: Partial<ConnectorConfig>,
    zookeeperConnect = this.#zookeeperConnect,
  ): Promise<{ readonly member: LocalMember; readonly readings: StreamReadings }> {
    const member = await LocalMember.start({
      ...{ zookeeperConnect, group: this.name, topics: { [this.name]: 1 }, consume: false },
      properties: { 'consumer.id': `m${this.members.length}`, ...properties },
    });
    this.members.push(member);
    const readings = new StreamReadings(member);
    this.readings.push(readings);
    await this.owned();
    await this.progress();
    return { member, readings };
  }

  /** Resolves when ZooKeeper and these members, by default all, say that they share the partitions as `range` wants it. */
  async owned(members: readonly LocalMember[] = this.members): Promise<void> {
    const threads = members.map(({ consumerId }) => `${consumerId}-0`);
    const wanted = asText(rangeOf(this.name, PARTITIONS.length, threads));
    await using zookeeper = await ZookeeperAdmin.connect(this.#zookeeperConnect);
    await this.until(`owners ${wanted}`, async () => {
      const own = members.flatMap(({ connector }) => connector.ownedPartitions());
      const said = new Map(own.map(({ topic, partition, threadId }) => [`${topic}/${partition}`, threadId]));
      return asText(said) === wanted && asText(await ownersOf(zookeeper, this.name, [this.name])) === wanted;
    });
  }

  /** Resolves when new messages of all partitions have come since it was called. */
  async progress(): Promise<void> {
    const before = this.readings.map(({ messages }) => messages.length);
    await this.until('new messages of all partitions', () => {
      const fresh = this.readings.flatMap(({ messages }, n) => messages.slice(before[n]));
      return new Set(fresh.map(({ partition }) => partition)).size === PARTITIONS.length;
    });
  }

  /** Resolves with the first truthy value; the error tells what the members did last. */
  until<T>(description: string, condition: () => T | Promise<T>): ReturnType<typeof waitFor<T>> {
    return waitFor(condition, {
      ...{ timeoutMs: this.#limitMs, description },
      details: () =>
        this.members
          .flatMap(({ consumerId, events }) => [
            consumerId,
            ...events.slice(-12).map(({ event, payload }) => `  ${event} ${JSON.stringify(payload)}`),
          ])
          .join('\n'),
    });
  }

  /** Ends the load, waits for the rest, stops the members; says what was repeated. Throws if anything is missing. */
  async end(): Promise<readonly Repetition[]> {
    const produced = await this.#load.stop();
    await this.until(
      `all of ${produced.length} messages`,
      () => compareDeliveries(produced, this.readings).missing.length === 0,
    );
    for (const member of this.members) await member.stop();
    await Promise.all(this.readings.map(({ ended }) => ended));
    const errors = this.readings.flatMap((readings) => readings.errors);
    if (errors.length > 0) throw new AggregateError(errors, 'A loop ended with an error');
    const { missing, repeated } = compareDeliveries(produced, this.readings);
    if (missing.length > 0) throw new Error(`Missing: ${missing.join(' ')}`);
    return repeated;
  }

  /** Resolves when the stored position of each partition is the end of its log, as it is once the members have ended. */
  async untilStored(): Promise<void> {
    await using producer = new Producer({ brokers: this.#cluster.brokers });
    await using zookeeper = await ZookeeperAdmin.connect(this.#zookeeperConnect);
    for (const partition of PARTITIONS) {
      const end = await producer.offset(this.name, partition);
      // A follower may be a little behind.
      await this.until(`position ${end} of partition ${partition}`, async () => {
        const node = await zookeeper.get(`/consumers/${this.name}/offsets/${this.name}/${partition}`);
        return node?.data?.toString() === String(end);
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#load[Symbol.asyncDispose]();
    await Promise.all(this.members.map((member) => member.stop()));
  }
}

/** Rebalances with a reason of their own, and those that changed something for whatever reason. */
export function rebalancesOf(member: LocalMember): { readonly caused: number; readonly changed: number } {
  return {
    caused: member.eventsOf('rebalance:started').filter(({ trigger }) => trigger !== 'interval').length,
    changed: member.eventsOf('rebalance:finished').filter(({ changed }) => changed).length,
  };
}

/** The member's present session. */
export function sessionOf(member: LocalMember): string {
  return member.eventsOf('session:connected').at(-1)?.sessionId ?? '';
}

/** What a member had stored of each partition when its session was lost for the first time. */
export function committedAtLoss(member: LocalMember): Map<number, number> {
  const committed = new Map<number, number>();
  for (const { event, payload } of member.events) {
    if (event === 'session:lost') break;
    if (event !== 'offsets:committed' || !('offsets' in payload)) continue;
    for (const { partition, nextOffset } of payload.offsets) committed.set(partition, nextOffset);
  }
  return committed;
}

/** Repetitions that are not, by another member, of what the one that lost its session had read and not stored. */
export function unexplained(repeated: readonly Repetition[], loser: LocalMember): Repetition[] {
  const committed = committedAtLoss(loser);
  return repeated.filter(
    ({ partition, offset, by }) =>
      by.length !== 2 ||
      by[0] === by[1] ||
      !by.includes(loser.consumerId) ||
      offset < (committed.get(partition) ?? 0),
  );
}
