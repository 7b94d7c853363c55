import { EmbeddedKafka } from '../../../../../lib/testing/kafka/EmbeddedKafka';
import type { Generation } from '../../../../../lib/testing/kafka/Generation';
import { EmbeddedNetwork } from '../../../../../lib/testing/network/EmbeddedNetwork';
import type { LocalSession } from '../../../../../lib/testing/zookeeper/LocalSession';
import { ZookeeperEnsemble } from '../../../../../lib/testing/zookeeper/ZookeeperEnsemble';
import { BrokerClient } from './BrokerClient';

export interface TestBrokersOptions {
  /** Default '3.9'. */
  readonly generation?: Generation;
  /** Default 1. */
  readonly brokers?: number;
  readonly properties?: Readonly<Record<string, string>>;
}

/** Embedded brokers with what connects to them; all of it ends together, and nothing may have gone wrong by then. */
export class TestBrokers implements AsyncDisposable {
  readonly network = new EmbeddedNetwork(1);
  readonly zookeeper: ZookeeperEnsemble;
  readonly kafka: EmbeddedKafka;
  /** What is asked of brokers at their next start. */
  properties: Readonly<Record<string, string>>;
  /** Brokers that start are told their properties only when this resolves. */
  heldUp: Promise<void> = Promise.resolve();
  readonly faults: unknown[] = [];
  readonly #clients: BrokerClient[] = [];
  #session: LocalSession | null = null;

  constructor({ generation = '3.9', brokers = 1, properties = {} }: TestBrokersOptions = {}) {
    this.properties = properties;
    const { network } = this;
    this.zookeeper = new ZookeeperEnsemble({ network, release: generation === '3.9' ? '3.8' : '3.4' });
    this.kafka = new EmbeddedKafka({
      ...{ generation, brokers, network, zookeeper: this.zookeeper, chroot: '/kafka', seed: 1 },
      properties: () => this.heldUp.then(() => this.properties),
      onFault: (error) => this.faults.push(error),
    });
  }

  static async start(options: TestBrokersOptions = {}): Promise<TestBrokers> {
    const started = new TestBrokers(options);
    await started.zookeeper.start();
    await started.kafka.start();
    return started;
  }

  /** Somebody else's session, below the chroot. */
  get session(): LocalSession {
    this.#session ??= this.zookeeper.openSession('/kafka');
    return this.#session;
  }

  async client(brokerId = 1): Promise<BrokerClient> {
    const client = await BrokerClient.connect(this.kafka.brokers[brokerId - 1]?.port ?? 0);
    this.#clients.push(client);
    return client;
  }

  /** Text of a node below the chroot; null if there is none. */
  node(path: string): string | null {
    return this.session.get(path)?.data.toString('utf8') ?? null;
  }

  state(topic: string, partition = 0): unknown {
    return JSON.parse(this.node(`/brokers/topics/${topic}/partitions/${partition}/state`) ?? 'null');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) client.destroy();
    await this.kafka.stop();
    await this.zookeeper.stop();
    expect(this.faults).toEqual([]);
  }
}
