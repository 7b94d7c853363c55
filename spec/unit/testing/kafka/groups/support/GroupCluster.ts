import { BrokerProperties } from '../../../../../../lib/testing/kafka/BrokerProperties';
import { LEADER_NOT_AVAILABLE } from '../../../../../../lib/testing/kafka/errorCodes';
import type { Generation } from '../../../../../../lib/testing/kafka/Generation';
import { GroupCoordinator } from '../../../../../../lib/testing/kafka/groups/GroupCoordinator';
import type { KafkaState } from '../../../../../../lib/testing/kafka/KafkaState';
import { logOptionsOf } from '../../../../../../lib/testing/kafka/logOptions';
import type { RequestContext, Route } from '../../../../../../lib/testing/kafka/requests/Route';
import { Topic } from '../../../../../../lib/testing/kafka/Topic';
import { EmbeddedNetwork } from '../../../../../../lib/testing/network/EmbeddedNetwork';
import { RandomNumbers } from '../../../../../../lib/testing/network/RandomNumbers';
import { ZookeeperEnsemble } from '../../../../../../lib/testing/zookeeper/ZookeeperEnsemble';

export interface Asked {
  /** Default: the last one that an API of groups has in 3.9. */
  readonly version?: number;
  /** Default 1. */
  readonly broker?: number;
  readonly clientId?: string | null;
}

const OFFSETS_TOPIC = '__consumer_offsets';
const QUICK = { 'group.min.session.timeout.ms': '1', 'group.initial.rebalance.delay.ms': '0' };

/** Two brokers that know a topic "t" with two partitions, without a network: routes are asked directly. */
export class GroupCluster implements KafkaState, Disposable {
  readonly generation: Generation;
  readonly clusterId = 'cluster';
  readonly controllerId = 1;
  readonly liveBrokers = [1, 2].map((id) => ({ id, host: '127.0.0.1', port: 9000 + id }));
  readonly topics = new Map<string, Topic>();
  readonly zookeeper = new ZookeeperEnsemble({
    network: new EmbeddedNetwork(1),
    release: '3.4',
  }).openSession('');
  readonly groups: GroupCoordinator;
  /** Names of topics that were to be created. */
  readonly created: string[] = [];
  readonly #properties: BrokerProperties;

  /** @param hasOffsetsTopic - broker 1 is the only replica of all its partitions, and leads them */
  constructor(
    generation: Generation,
    properties: Readonly<Record<string, string>> = {},
    hasOffsetsTopic = true,
  ) {
    this.generation = generation;
    this.#properties = new BrokerProperties(generation, { ...QUICK, ...properties });
    this.groups = new GroupCoordinator(this, new RandomNumbers(1));
    this.addTopic('t', 2);
    if (hasOffsetsTopic) this.addTopic(OFFSETS_TOPIC, 50);
  }

  property(name: string): string {
    return this.#properties.get(name);
  }

  autoCreate(topic: string): number {
    this.created.push(topic);
    return LEADER_NOT_AVAILABLE;
  }

  nextProducerId(): number {
    throw new Error('groups need no producers');
  }

  /** @param replicas - of all partitions; the first one leads */
  addTopic(name: string, partitions: number, replicas: readonly number[] = [1]): void {
    const topic = new Topic(name, '0'.repeat(32), new Map(), (config) =>
      logOptionsOf(this.generation, config, (property) => this.property(property)),
    );
    topic.assign(Array.from({ length: partitions }, () => replicas));
    const [leader = -1] = replicas;
    for (const partition of topic.partitions) partition.decide({ leader, leaderEpoch: 0, isr: replicas });
    this.topics.set(name, topic);
  }

  /** From now on the broker leads all partitions of the offsets topic; -1 for none. */
  moveCoordinator(leader: number): void {
    for (const partition of this.topics.get(OFFSETS_TOPIC)?.partitions ?? []) {
      partition.decide({ leader, leaderEpoch: partition.leaderEpoch + 1, isr: partition.isr });
    }
  }

  /** The answer of a route that has one. */
  async ask<Q, A>(
    asked: Route<Q, A>,
    request: NoInfer<Q>,
    { version = 9, broker = 1, clientId = 'client' }: Asked = {},
  ): Promise<A> {
    const context: RequestContext = {
      header: { apiKey: asked.api.key, version, correlationId: 1, clientId },
      clientHost: '/127.0.0.1',
      signal: new AbortController().signal,
      brokerId: broker,
      generation: this.generation,
      cluster: this,
    };
    const answer = await asked.handle(request, context);
    if (answer === null) throw new Error('no answer');
    return answer;
  }

  [Symbol.dispose](): void {
    this.groups.stop();
    this.zookeeper.close();
  }
}
