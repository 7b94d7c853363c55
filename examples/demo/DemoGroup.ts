import { Cluster } from '../../spec/support/cluster/Cluster';
import type { ZookeeperAdmin } from '../../spec/support/cluster/ZookeeperAdmin';
import { waitFor, withDeadline } from '../../spec/support/waitFor';
import { Member } from './Member';
import { NumberProducer } from './NumberProducer';

export const KAFKA = '0.8.2.2';
export const BROKERS = 3;
export const GROUP = 'demo';
export const TOPIC = 'numbers';
export const PARTITIONS = 12;
export const SESSION_TIMEOUT_MS = 3000;

/** As in ConsumerGroupExample.ts --property. */
const PROPERTIES = {
  'zookeeper.session.timeout.ms': String(SESSION_TIMEOUT_MS),
  'auto.commit.interval.ms': '1000',
};
const LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 10_000;

/** The cluster, the producer and the members of the demo. */
export class DemoGroup {
  readonly #members: Member[] = [];
  #starting: Promise<Cluster> | null = null;
  #cluster: Cluster | null = null;
  #zookeeper: ZookeeperAdmin | null = null;
  #producer: NumberProducer | null = null;

  /** Resolves when the brokers are ready and messages are being produced. */
  async start(): Promise<void> {
    this.#starting = Cluster.start({ kafka: KAFKA, brokers: BROKERS });
    this.#cluster = await this.#starting;
    this.#zookeeper = await this.#cluster.zookeeper();
    await this.#cluster.createTopic(TOPIC, { partitions: PARTITIONS });
    this.#producer = new NumberProducer(this.#cluster.brokers, TOPIC, PARTITIONS);
  }

  /** Ends everything that was started, at any moment. */
  async stop(): Promise<void> {
    await Promise.all(this.#members.map((member) => member.end('SIGKILL')));
    this.#producer?.close();
    await this.#zookeeper?.close().catch(() => undefined); // after Ctrl-C its server may be gone already
    // A cluster that is still starting can be stopped only when it has started, or failed.
    const cluster = this.#starting && withDeadline(this.#starting, STOP_LIMIT_MS, 'start of the cluster');
    await (await cluster?.catch(() => null))?.stop();
  }

  get cluster(): Cluster {
    return started(this.#cluster);
  }

  get zookeeper(): ZookeeperAdmin {
    return started(this.#zookeeper);
  }

  get producer(): NumberProducer {
    return started(this.#producer);
  }

  startMember(name: string): Member {
    const member = new Member(name, {
      zookeeper: this.cluster.zookeeperConnect,
      group: GROUP,
      topic: TOPIC,
      properties: PROPERTIES,
    });
    this.#members.push(member);
    return member;
  }

  /** Thread ids by partition, as in the owner nodes in ZooKeeper. */
  async owners(): Promise<Map<number, string>> {
    const path = `/consumers/${GROUP}/owners/${TOPIC}`;
    const owners = new Map<number, string>();
    for (const partition of await this.zookeeper.children(path)) {
      const node = await this.zookeeper.get(`${path}/${partition}`);
      if (node !== null) owners.set(Number(partition), node.data?.toString() ?? '');
    }
    return new Map([...owners].sort(([a], [b]) => a - b));
  }

  /** Waits until these threads own all partitions, each as many as the others. */
  async shared(threadIds: readonly string[]): Promise<void> {
    await this.until(`all partitions to be shared by ${threadIds.join(', ')}`, async () => {
      return isEven(await this.owners(), threadIds);
    });
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
}

export function isEven(owners: ReadonlyMap<number, string>, threadIds: readonly string[]): boolean {
  return threadIds.every((threadId) => {
    const owned = [...owners.values()].filter((owner) => owner === threadId);
    return owned.length === PARTITIONS / threadIds.length;
  });
}

function started<T>(part: T | null): T {
  if (part === null) throw new Error('the demo has not started');
  return part;
}
