import type { RealCluster } from '../../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../../support/cluster/ZookeeperAdmin';
import { JvmMember, type JvmRelease } from '../../support/jvm/JvmMember';
import { subscriptionOf, type MemberSubscription } from '../../support/memberSubscription';
import { NodeMember } from '../../support/NodeMember';
import { asText, knowsItsOwn, ownersOf, rangeOf, roundRobinOf } from '../../support/ownership';
import { waitFor } from '../../support/waitFor';
import { Accounts } from './Accounts';
import { TopicUnderLoad } from './TopicUnderLoad';

const LIMIT_MS = 60_000;

/** How all members of a group share: `range`, or `roundrobin` in one of its two orders. */
export type Sharing = 'range' | { readonly textOrder: '0.8' | '1.0' };

export interface MixedGroupOptions {
  readonly cluster: RealCluster;
  readonly name: string;
  /** Of the connector of the members of the JVM. */
  readonly release: JvmRelease;
  readonly sharing: Sharing;
  /** Whether members of the JVM own their share but cannot read from these brokers. Default false. */
  readonly isJvmSilent?: boolean;
}

/** What a member reads; with a filter, also which of the topics of the spec that is. */
export type Reading = MemberSubscription & { readonly matches?: readonly string[] };

export type Member = JvmMember | NodeMember;

/** A group with members of the JVM and of Node that reads topics under a steady load. */
export class MixedGroup implements AsyncDisposable {
  readonly name: string;
  /** Everybody who was ever there. */
  readonly members: Member[] = [];
  readonly #options: MixedGroupOptions;
  readonly #zookeeper: ZookeeperAdmin;
  readonly #topics = new Map<string, TopicUnderLoad>();
  /** Those who are there now. */
  readonly #present = new Map<Member, Reading>();
  readonly #killed = new Set<string>();

  private constructor(options: MixedGroupOptions, zookeeper: ZookeeperAdmin) {
    this.name = options.name;
    this.#options = options;
    this.#zookeeper = zookeeper;
  }

  static async on(options: MixedGroupOptions): Promise<MixedGroup> {
    return new MixedGroup(options, await options.cluster.zookeeper());
  }

  /** Topics with their numbers of partitions, with messages on the way from now on. */
  async createTopics(topics: Readonly<Record<string, number>>): Promise<void> {
    const { cluster, name } = this.#options;
    const make = async ([topic, partitions]: [string, number]): Promise<void> => {
      await cluster.createTopic(topic, { partitions });
      this.#topics.set(topic, new TopicUnderLoad(cluster, name, topic, partitions));
    };
    await Promise.all(Object.entries(topics).map(make));
  }

  /** Whether it has its share already, `settle` tells. */
  async joinJvm(reading: Reading): Promise<JvmMember> {
    const { cluster, name, release } = this.#options;
    const place = { zookeeperConnect: cluster.zookeeperConnect, group: name, release };
    const properties = { ...this.#strategy(), 'zookeeper.session.timeout.ms': '3000' };
    return this.#joined(await JvmMember.start({ ...subscriptionOf(reading), ...place, properties }), reading);
  }

  /** Whether it has its share already, `settle` tells. */
  async joinNode(reading: Reading): Promise<NodeMember> {
    const { cluster, name, sharing } = this.#options;
    const place = { zookeeperConnect: cluster.zookeeperConnect, group: name };
    const properties = {
      ...{ ...this.#strategy(), 'zookeeper.session.timeout.ms': 3000, 'auto.commit.interval.ms': 500 },
      ...(sharing === 'range' ? {} : { 'roundrobin.text.order': sharing.textOrder }),
    };
    return this.#joined(
      await NodeMember.start({ ...subscriptionOf(reading), ...place, properties }),
      reading,
    );
  }

  /** Commits, and leaves in order. */
  async leave(member: Member): Promise<void> {
    this.#present.delete(member);
    await member.stop();
  }

  async kill(member: Member): Promise<void> {
    this.#present.delete(member);
    this.#killed.add(member.consumerId);
    await member.kill();
  }

  /**
   * Resolves when ZooKeeper, and each member, says that it owns what the spec's own count gives to it, when all partitions
   * with an owner that can read have brought new messages, and when that has changed nothing of the owners.
   */
  async settle(): Promise<void> {
    const wanted = this.#wanted();
    await this.until(`owners ${asText(wanted)}`, () => this.#isSharedAs(wanted));
    await this.#progress(wanted);
    await this.until(`still owners ${asText(wanted)}`, () => this.#isSharedAs(wanted));
  }

  /** Ends the load, then everybody when everything was read; tells what was missing and repeated. */
  async finish(): Promise<Accounts> {
    const topics = [...this.#topics.values()];
    const produced = (await Promise.all(topics.map((topic) => topic.endLoad()))).flat();
    const accounts = (): Accounts => new Accounts(produced, this.members, topics, this.#killed);
    await this.until(`all of ${produced.length} messages`, () => accounts().missing.length === 0);
    await Promise.all([...this.#present.keys()].map((member) => this.leave(member)));
    await this.until('a group without members and owners', async () => {
      const ids = await this.#zookeeper.children(`/consumers/${this.name}/ids`);
      return ids.length === 0 && (await ownersOf(this.#zookeeper, this.name)).size === 0;
    });
    await Promise.all(topics.map((topic) => topic.endHistory()));
    return accounts();
  }

  /** Resolves when the condition holds; rejects as soon as a member has complained. */
  async until(description: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const complaints = (): unknown[] => this.members.flatMap(({ errors }) => errors as unknown[]);
    await waitFor(async () => complaints().length > 0 || (await condition()), {
      ...{ timeoutMs: LIMIT_MS, description },
      details: () => [...this.#present.keys()].map(({ log }) => log).join('\n'),
    });
    if (complaints().length > 0) throw new Error(`members complain: ${JSON.stringify(complaints())}`);
  }

  /** Everything, also if some of it has failed, which `finish` tells. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.members.map((member) => member[Symbol.asyncDispose]()));
    await Promise.allSettled([...this.#topics.values()].map((topic) => topic[Symbol.asyncDispose]()));
    await this.#zookeeper.close();
  }

  #joined<M extends Member>(member: M, reading: Reading): M {
    this.members.push(member);
    this.#present.set(member, reading);
    return member;
  }

  #strategy(): { readonly 'partition.assignment.strategy': 'range' | 'roundrobin' } {
    const { sharing } = this.#options;
    return { 'partition.assignment.strategy': sharing === 'range' ? 'range' : 'roundrobin' };
  }

  /** Thread id by "topic/partition". */
  #wanted(): Map<string, string> {
    const { sharing } = this.#options;
    const topics = Array.from(this.#topics.values(), ({ topic, partitions }) => {
      const threads = [...this.#present].flatMap(([{ consumerId }, reading]) =>
        Array.from({ length: streamsOf(reading, topic) }, (_, n) => `${consumerId}-${n}`),
      );
      return { topic, partitions: partitions.length, threads };
    }).filter(({ threads }) => threads.length > 0);
    if (sharing !== 'range') return roundRobinOf(topics, sharing.textOrder);
    return new Map(
      topics.flatMap(({ topic, partitions, threads }) => [...rangeOf(topic, partitions, threads)]),
    );
  }

  async #isSharedAs(wanted: ReadonlyMap<string, string>): Promise<boolean> {
    if (asText(await ownersOf(this.#zookeeper, this.name)) !== asText(wanted)) return false;
    return [...this.#present].every(([member, reading]) => {
      if (!knowsItsOwn(member, wanted)) return false;
      const assigned = member instanceof JvmMember ? member.assigned : null;
      return assigned === null || asText(assigned) === asText(this.#knownBy(reading, wanted));
    });
  }

  /** What a member of the JVM has to think that the whole group has: with `range` it looks at no more than its own topics. */
  #knownBy(reading: Reading, wanted: ReadonlyMap<string, string>): Map<string, string> {
    const topics = [...this.#topics.keys()].filter(
      (topic) => this.#options.sharing !== 'range' || streamsOf(reading, topic) > 0,
    );
    return new Map([...wanted].filter(([at]) => topics.includes(at.slice(0, at.lastIndexOf('/')))));
  }

  async #progress(wanted: ReadonlyMap<string, string>): Promise<void> {
    const readers = [...this.#present.keys()].filter((member) => this.#canRead(member));
    const counts = readers.map(({ messages }) => messages.length);
    const expected = [...wanted].filter(([, thread]) =>
      readers.some(({ consumerId }) => thread.startsWith(`${consumerId}-`)),
    );
    await this.until(`new messages of ${expected.length} partitions by their owners`, () => {
      const fresh = readers.flatMap(({ messages }, index) => messages.slice(counts[index]));
      const read = new Set(fresh.map((one) => `${one.topic}/${one.partition} ${one.threadId}`));
      return expected.every(([at, thread]) => read.has(`${at} ${thread}`));
    });
  }

  #canRead(member: Member): boolean {
    return !(member instanceof JvmMember && this.#options.isJvmSilent === true);
  }
}

function streamsOf({ topics = {}, filter, matches = [] }: Reading, topic: string): number {
  if (filter === undefined) return topics[topic] ?? 0;
  return matches.includes(topic) ? (filter.streams ?? 1) : 0;
}
