import { EmbeddedCluster } from '../../lib/testing';
import { waitFor } from '../../spec/support/waitFor';
import { Member } from './Member';
import { NumberProducer } from './NumberProducer';
import type { GroupState, ThreadState } from './picture';

export const KAFKA = '0.8';
export const BROKERS = 3;
export const GROUP = 'demo';
export const TOPIC = 'numbers';
export const PARTITIONS = 12;
export const SESSION_TIMEOUT_MS = 3000;
const THREADS = 2;

/** As in ConsumerGroupExample.ts --property. */
const PROPERTIES = {
  'zookeeper.session.timeout.ms': String(SESSION_TIMEOUT_MS),
  'auto.commit.interval.ms': '500',
};
const LIMIT_MS = 30_000;

/** The cluster, the producer and the members of the demo. */
export class DemoGroup {
  readonly #members: Member[] = [];
  #starting: Promise<EmbeddedCluster> | null = null;
  #cluster: EmbeddedCluster | null = null;
  #producer: NumberProducer | null = null;

  /** Resolves when the brokers are ready and messages are being produced. */
  async start(): Promise<void> {
    this.#starting = EmbeddedCluster.start({
      ...{ kafka: KAFKA, brokers: BROKERS, topics: { [TOPIC]: PARTITIONS } },
    });
    this.#cluster = await this.#starting;
    this.#producer = new NumberProducer(this.#cluster, TOPIC, PARTITIONS);
  }

  /** Ends everything that was started, at any moment. */
  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.end('SIGKILL')));
    await this.#producer?.stop();
    await (await this.#starting?.catch(() => null))?.stop();
  }

  get cluster(): EmbeddedCluster {
    return started(this.#cluster);
  }

  get producer(): NumberProducer {
    return started(this.#producer);
  }

  startMember(name: string): Member {
    const member = new Member(name, {
      zookeeper: this.cluster.zookeeperConnect,
      ...{ group: GROUP, topic: TOPIC, threads: THREADS, properties: PROPERTIES },
    });
    this.#members.push(member);
    return member;
  }

  /** What the picture shows. */
  get state(): GroupState {
    const owners = this.owners();
    const lags = this.#lags();
    return {
      members: this.#members.map((member) => ({
        name: member.name,
        isRunning: !member.hasExited,
        threads: threadsOf(member).map((threadId) => stateOf(threadId, member, owners, lags)),
      })),
      unowned: Array.from({ length: PARTITIONS }, (_, partition) => partition).filter(
        (one) => !owners.has(one),
      ),
      produced: this.producer.produced,
    };
  }

  /** Thread ids by partition, as in the owner nodes in ZooKeeper. */
  owners(): ReadonlyMap<number, string> {
    return this.nodesBelow(`/consumers/${GROUP}/owners/${TOPIC}`);
  }

  /** Offsets by partition, as they are stored in ZooKeeper. */
  offsets(): ReadonlyMap<number, string> {
    return this.nodesBelow(`/consumers/${GROUP}/offsets/${TOPIC}`);
  }

  /** Text of the children that are named by a partition, in order. */
  nodesBelow(path: string): ReadonlyMap<number, string> {
    const [, ...nodes] = this.cluster.znodes(path);
    return new Map(
      nodes.map(([at, data]) => [Number(at.slice(path.length + 1)), data] as const).sort(([a], [b]) => a - b),
    );
  }

  /** Waits until these threads own all partitions, each as many as the others. */
  async shared(threadIds: readonly string[]): Promise<void> {
    await this.until(`all partitions to be shared by ${threadIds.join(', ')}`, () =>
      isEven(this.owners(), threadIds),
    );
  }

  /** The error of a vain wait has what the members said. */
  async until<T>(description: string, condition: () => T | Promise<T>): ReturnType<typeof waitFor<T>> {
    return waitFor(condition, {
      timeoutMs: LIMIT_MS,
      description,
      intervalMs: 50,
      details: () =>
        this.#members.map(({ name, stderr }) => `${name} said:\n${stderr.join('\n')}`).join('\n\n'),
    });
  }

  /** By partition: what is written and not committed. */
  #lags(): ReadonlyMap<number, number> {
    const stored = this.offsets();
    return new Map(
      this.cluster
        .describeTopic(TOPIC)
        .map(({ partition, endOffset }) => [partition, endOffset - Number(stored.get(partition) ?? 0)]),
    );
  }
}

export function threadsOf({ name }: Member): string[] {
  return Array.from({ length: THREADS }, (_, thread) => `${GROUP}_${name}-${thread}`);
}

export function partitionsOf(owners: ReadonlyMap<number, string>, threadIds: readonly string[]): number[] {
  return [...owners].flatMap(([partition, owner]) => (threadIds.includes(owner) ? [partition] : []));
}

export function isEven(owners: ReadonlyMap<number, string>, threadIds: readonly string[]): boolean {
  return threadIds.every(
    (threadId) => partitionsOf(owners, [threadId]).length === PARTITIONS / threadIds.length,
  );
}

function stateOf(
  threadId: string,
  { received }: Member,
  owners: ReadonlyMap<number, string>,
  lags: ReadonlyMap<number, number>,
): ThreadState {
  const partitions = partitionsOf(owners, [threadId]);
  return {
    ...{ threadId, partitions },
    lag: partitions.reduce((sum, partition) => sum + (lags.get(partition) ?? 0), 0),
    messages: received.filter((message) => message.threadId === threadId).length,
  };
}

function started<T>(part: T | null): T {
  if (part === null) throw new Error('the demo has not started');
  return part;
}
