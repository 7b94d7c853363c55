import type { ConnectorConfig, TopicPartition } from '../../lib';
import type { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember } from '../support/jvm/JvmMember';
import { NodeMember } from '../support/NodeMember';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { waitFor } from '../support/waitFor';

/** How the client.id of the members of Node begins. */
export const CLIENT_IDS = 'matrix-member';

const LIMIT_MS = 30_000;
/** What each partition has to bring until a group is said to go on. */
const NEW_MESSAGES = 25;
/** Positions are stored seldom enough that a crash repeats something, and its session is over soon. */
const PROPERTIES: Partial<ConnectorConfig> = {
  'zookeeper.session.timeout.ms': 3000,
  'rebalance.backoff.ms': 300,
  'auto.commit.interval.ms': 1000,
};

type Member = NodeMember | JvmMember;

/** The group that reads all topics of a cell, with one stream for each topic in each member. */
export class CellGroup implements AsyncDisposable {
  readonly name = 'matrix';
  /** Everybody who was ever there. */
  readonly members: Member[] = [];
  readonly #cluster: RealCluster;
  readonly #zookeeper: ZookeeperAdmin;
  readonly #partitions: readonly TopicPartition[];
  readonly #topics: readonly string[];
  /** Topics by member, of those who are there now. */
  readonly #present = new Map<Member, readonly string[]>();

  private constructor(
    cluster: RealCluster,
    zookeeper: ZookeeperAdmin,
    partitions: readonly TopicPartition[],
  ) {
    this.#cluster = cluster;
    this.#zookeeper = zookeeper;
    this.#partitions = partitions;
    this.#topics = [...new Set(partitions.map(({ topic }) => topic))];
  }

  static async of(cluster: RealCluster, partitions: readonly TopicPartition[]): Promise<CellGroup> {
    return new CellGroup(cluster, await cluster.zookeeper(), partitions);
  }

  /** The member has its streams; whether it has partitions already, `share` tells. */
  async joinNode(): Promise<NodeMember> {
    const name = `${CLIENT_IDS}-${this.members.length}`;
    const properties = { ...PROPERTIES, 'consumer.id': name, 'client.id': name };
    const member = await NodeMember.start({ ...this.#optionsFor(this.#topics), properties });
    this.members.push(member);
    this.#present.set(member, this.#topics);
    return member;
  }

  async joinJvm(topics: readonly string[]): Promise<JvmMember> {
    const member = await JvmMember.start(this.#optionsFor(topics));
    this.members.push(member);
    this.#present.set(member, topics);
    return member;
  }

  /** Commits, and leaves in order. */
  async leave(member: Member): Promise<void> {
    this.#present.delete(member);
    await member.stop();
  }

  async kill(member: Member): Promise<void> {
    this.#present.delete(member);
    await member.kill();
  }

  /** Resolves when ZooKeeper, and each member, says that it owns what `range` gives to it. */
  async share(): Promise<void> {
    const wanted = new Map<string, string>();
    for (const topic of this.#topics) {
      const subscribed = [...this.#present].filter(([, topics]) => topics.includes(topic));
      const threads = subscribed.map(([{ consumerId }]) => `${consumerId}-0`);
      const count = this.#partitions.filter((one) => one.topic === topic).length;
      for (const [partition, thread] of rangeOf(topic, count, threads)) wanted.set(partition, thread);
    }
    await this.until(`owners ${asText(wanted)}`, async () => {
      if (asText(await ownersOf(this.#zookeeper, this.name, this.#topics)) !== asText(wanted)) return false;
      return [...this.#present.keys()].every(({ consumerId, owned }) => {
        const own = [...wanted].filter(([, thread]) => thread === `${consumerId}-0`);
        return asText(owned) === asText(new Map(own));
      });
    });
  }

  /**
   * Resolves when each partition has brought some messages behind all that came before. Members hand out a partition in its
   * order, so whatever its last change of hands has repeated has come by then, too.
   */
  async progress(): Promise<void> {
    const before = new Map<string, number>();
    const counts = this.members.map(({ messages }) => messages.length);
    for (const { topic, partition, offset } of this.members.flatMap(({ messages }) => messages)) {
      const at = `${topic}/${partition}`;
      before.set(at, Math.max(before.get(at) ?? -1, offset));
    }
    await this.until('new messages of all partitions', () => {
      const fresh = this.members.flatMap(({ messages }, index) => messages.slice(counts[index]));
      const further = fresh.filter(
        ({ topic, partition, offset }) =>
          offset >= (before.get(`${topic}/${partition}`) ?? -1) + NEW_MESSAGES,
      );
      const grown = new Set(further.map(({ topic, partition }) => `${topic}/${partition}`));
      return grown.size === this.#partitions.length;
    });
  }

  /** Resolves when the stored position of each partition ("topic/partition") is this one. */
  async untilStored(positions: ReadonlyMap<string, number>): Promise<void> {
    for (const [at, position] of positions) {
      await this.until(`position ${position} of ${at}`, async () => {
        const node = await this.#zookeeper.get(`/consumers/${this.name}/offsets/${at}`);
        return node?.data?.toString() === String(position);
      });
    }
  }

  /** Resolves when nobody is registered, and nobody owns anything. */
  async untilEmpty(): Promise<void> {
    await this.until('a group without members and owners', async () => {
      const ids = await this.#zookeeper.children(`/consumers/${this.name}/ids`);
      const owners = await ownersOf(this.#zookeeper, this.name, this.#topics);
      return ids.length === 0 && owners.size === 0;
    });
  }

  /** Resolves when the condition does with something truthy; rejects as soon as a member has complained. */
  async until(description: string, condition: () => unknown): Promise<void> {
    const hasComplained = (): boolean => complaintsOf(this.members).length > 0;
    await waitFor(async () => hasComplained() || (await condition()), {
      ...{ timeoutMs: LIMIT_MS, description },
      details: () => [...this.#present.keys()].map(({ log }) => log).join('\n'),
    });
    if (hasComplained()) throw new Error('a member has complained');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.members.map((member) => member[Symbol.asyncDispose]()));
    await this.#zookeeper.close();
  }

  #optionsFor(topics: readonly string[]) {
    const counts = Object.fromEntries(topics.map((topic) => [topic, 1]));
    return { zookeeperConnect: this.#cluster.zookeeperConnect, group: this.name, topics: counts };
  }
}

/** Rebalances of the members of Node that changed something. */
export function rebalancesOf(members: readonly Member[]): number {
  return members.reduce((sum, member) => sum + (member instanceof NodeMember ? member.rebalances : 0), 0);
}

/** What members have said that should not have happened. */
export function complaintsOf(members: readonly Member[]): string[] {
  return members.flatMap((member) => {
    if (member instanceof JvmMember) return member.errors.map((error) => `${member.consumerId}: ${error}`);
    const failures = member.eventsOf('partition:failed');
    const resets = member.eventsOf('offset:reset').filter(({ why }) => why !== 'none');
    return [
      ...member.errors.map(({ code, message }) => `${String(code)} ${message}`),
      ...failures.map(({ topic, partition }) => `${topic}/${partition} failed`),
      ...resets.map(({ topic, partition, from }) => `${topic}/${partition} was reset from ${String(from)}`),
    ].map((text) => `${member.consumerId}: ${text}`);
  });
}
