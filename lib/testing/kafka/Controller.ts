import type { LocalSession, TreeChange } from '../zookeeper/LocalSession';
import { readRegistration } from './brokerRegistration';
import type { Generation } from './Generation';
import type { LiveBroker } from './KafkaState';
import { firstLeadership, withoutDead, withReturned, type ElectionRules } from './leaderElection';
import type { Leadership, Partition } from './Partition';
import { nextControllerEpoch, storeFeatures } from './persistentNodes';
import type { Topic } from './Topic';
import { TopicDeletions } from './TopicDeletions';
import {
  readConfigNode,
  readPartitionList,
  readStateNode,
  readTopicNode,
  writeStateNode,
  writeTopicNode,
} from './topicNodes';

/** What the controller decides about. */
export interface ControlledCluster {
  readonly generation: Generation;
  readonly topics: Map<string, Topic>;
  property(name: string): string;
  /** A topic without partitions yet; null asks for a new id. */
  makeTopic(name: string, topicId: string | null, config: ReadonlyMap<string, string>): Topic;
  /** Clients do not find it any more. */
  dropTopic(name: string): void;
  setLiveBrokers(brokers: readonly LiveBroker[]): void;
  /** Told of what could not be done; the rest is done. */
  onFault(error: unknown): void;
}

interface Registered {
  readonly broker: LiveBroker;
  /** Another one means that the broker has been gone in between. */
  readonly czxid: bigint;
}

const TOPICS = '/brokers/topics';
const PREFERRED_ELECTION = '/admin/preferred_replica_election';

/**
 * The one broker that decides who leads partitions. As in Kafka before KRaft it is told what to do by ZooKeeper's nodes,
 * whoever has written them, and writes its decisions there.
 */
export class Controller {
  readonly brokerId: number;
  readonly #session: LocalSession;
  readonly #cluster: ControlledCluster;
  readonly #deletions: TopicDeletions;
  readonly #epoch: number;
  readonly #unsubscribe: () => void;
  #registered: ReadonlyMap<number, Registered> = new Map();
  /** Topics whose nodes have changed. */
  readonly #changedTopics = new Set<string>();
  #areBrokersChanged = true;
  #isAdminChanged = true;

  /** @param onWork - something has to be done by `catchUp`, soon */
  constructor(brokerId: number, session: LocalSession, cluster: ControlledCluster, onWork: () => void) {
    this.brokerId = brokerId;
    this.#session = session;
    this.#cluster = cluster;
    this.#deletions = new TopicDeletions(session, cluster);
    this.#epoch = nextControllerEpoch(session, cluster.generation);
    storeFeatures(session, cluster.generation);
    for (const name of [...(session.children(TOPICS) ?? []), ...cluster.topics.keys()])
      this.#changedTopics.add(name);
    this.#unsubscribe = session.onChange((change) => {
      if (this.#takesNote(change)) onWork();
    });
  }

  get isInOffice(): boolean {
    return this.#session.isOpen;
  }

  /** Decides nothing any more. */
  stop(): void {
    this.#unsubscribe();
  }

  /** Does all that is to be done by now. What one topic's nodes make impossible holds up nothing else. */
  catchUp(): void {
    while (this.#areBrokersChanged || this.#isAdminChanged || this.#changedTopics.size > 0) {
      if (this.#areBrokersChanged) this.#attempt(() => this.#followBrokers());
      if (this.#isAdminChanged) this.#attempt(() => this.#followAdmin());
      const changed = [...this.#changedTopics];
      this.#changedTopics.clear();
      for (const name of changed) this.#attempt(() => this.#followTopic(name));
    }
  }

  /** At once: whether or not delete.topic.enable allows it to others, and whoever is away. */
  deleteTopic(name: string): void {
    if (!this.#cluster.topics.has(name)) throw new RangeError(`there is no topic ${name}`);
    this.#deletions.force(name);
  }

  /** @throws RangeError if that broker cannot lead it */
  moveLeader(topic: Topic, partition: Partition, brokerId: number): void {
    const { leadership } = partition;
    if (leadership?.isr.includes(brokerId) !== true || !this.#registered.has(brokerId)) {
      const able = partition.isr.filter((id) => this.#registered.has(id)).join(', ');
      throw new RangeError(
        `broker ${brokerId} cannot lead partition ${partition.partition} of ${topic.name}; in sync are: ${able || 'none'}`,
      );
    }
    if (leadership.leader === brokerId) return;
    this.#decide(topic, partition, {
      ...leadership,
      leader: brokerId,
      leaderEpoch: leadership.leaderEpoch + 1,
    });
  }

  #attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#cluster.onFault(error);
    }
  }

  /** True if the change is one to act on. */
  #takesNote({ path }: TreeChange): boolean {
    const [, root, kind, name, ...below] = path.split('/');
    if (root === 'brokers' && kind === 'ids') this.#areBrokersChanged = true;
    else if (root === 'brokers' && kind === 'topics' && name !== undefined && below.length === 0) {
      this.#changedTopics.add(name);
    } else if (root === 'config' && kind === 'topics' && name !== undefined) this.#changedTopics.add(name);
    else if (root === 'admin') this.#isAdminChanged = true;
    else return false;
    return true;
  }

  #followBrokers(): void {
    this.#areBrokersChanged = false;
    const before = this.#registered;
    const now = this.#readBrokers();
    const stayed = new Map([...now].filter(([id, { czxid }]) => (before.get(id)?.czxid ?? czxid) === czxid));
    // A broker that has been gone for a moment only has nevertheless lost what it led.
    if (stayed.size < now.size) this.#becomeLive(stayed);
    this.#becomeLive(now);
    this.#deletions.finish(new Set(now.keys()));
  }

  #readBrokers(): ReadonlyMap<number, Registered> {
    const registered = new Map<number, Registered>();
    for (const name of this.#session.children('/brokers/ids') ?? []) {
      const node = this.#session.get(`/brokers/ids/${name}`);
      const broker = node === null ? null : readRegistration(Number(name), node.data);
      if (node !== null && broker !== null) registered.set(broker.id, { broker, czxid: node.czxid });
    }
    return registered;
  }

  #becomeLive(registered: ReadonlyMap<number, Registered>): void {
    this.#registered = registered;
    const brokers = [...registered.values()].map(({ broker }) => broker).sort((a, b) => a.id - b.id);
    this.#cluster.setLiveBrokers(brokers);
    for (const topic of this.#cluster.topics.values()) this.#attempt(() => this.#settle(topic));
  }

  #followAdmin(): void {
    this.#isAdminChanged = false;
    this.#deletions.take(new Set(this.#registered.keys()));
    const asked = this.#session.get(PREFERRED_ELECTION);
    if (asked === null) return;
    for (const { topic: name, partition: number } of readPartitionList(asked.data)) {
      const topic = this.#cluster.topics.get(name);
      const partition = topic?.partitions[number];
      const [preferred] = partition?.replicas ?? [];
      if (topic === undefined || partition === undefined || preferred === undefined) continue;
      if (partition.isr.includes(preferred) && this.#registered.has(preferred)) {
        this.moveLeader(topic, partition, preferred);
      }
    }
    this.#session.delete(PREFERRED_ELECTION);
  }

  #followTopic(name: string): void {
    if (this.#deletions.has(name)) return;
    const path = `${TOPICS}/${name}`;
    const data = this.#session.get(path)?.data;
    const node = data === undefined ? null : readTopicNode(data);
    const known = this.#cluster.topics.get(name);
    if (node === null) {
      if (known !== undefined) this.#cluster.dropTopic(name);
      return;
    }
    const config = readConfigNode(this.#session.get(`/config/topics/${name}`)?.data);
    const topic = known ?? this.#cluster.makeTopic(name, node.topicId, config);
    this.#cluster.topics.set(name, topic);
    topic.configure(config);
    topic.assign(node.assignment);
    if (this.#cluster.generation === '3.9' && node.topicId === null) {
      this.#session.set(path, writeTopicNode('3.9', { ...node, topicId: topic.topicId }));
    }
    this.#settle(topic);
  }

  /** Makes sure that each partition has the leader and the in-sync replicas that it can have. */
  #settle(topic: Topic): void {
    const live = new Set(this.#registered.keys());
    const rules = { live, isUncleanAllowed: this.#isUncleanAllowed(topic) };
    for (const partition of topic.partitions) this.#settlePartition(topic, partition, rules);
  }

  #settlePartition(topic: Topic, partition: Partition, rules: ElectionRules): void {
    const stored = partition.leadership ?? this.#readState(topic, partition);
    const before = stored ?? firstLeadership(partition, rules.live);
    if (before === null) return;
    if (stored === null) this.#decide(topic, partition, before);
    else if (partition.leadership === null) partition.decide(stored);
    const led = withoutDead(partition, before, rules);
    if (led !== before) this.#decide(topic, partition, led);
    const whole = withReturned(partition, led, rules.live);
    if (whole !== led) this.#decide(topic, partition, whole);
  }

  #isUncleanAllowed(topic: Topic): boolean {
    const name = 'unclean.leader.election.enable';
    return (topic.config.get(name) ?? this.#cluster.property(name)) === 'true';
  }

  #readState(topic: Topic, { partition }: Partition): Leadership | null {
    const node = this.#session.get(statePath(topic, partition));
    return node === null ? null : readStateNode(node.data);
  }

  #decide(topic: Topic, partition: Partition, leadership: Leadership): void {
    const path = statePath(topic, partition.partition);
    const data = writeStateNode(this.#epoch, leadership);
    if (this.#session.get(path) === null) {
      this.#session.mkdirp(path.slice(0, path.lastIndexOf('/')));
      this.#session.create(path, data);
    } else this.#session.set(path, data);
    partition.decide(leadership);
  }
}

function statePath({ name }: Topic, partition: number): string {
  return `${TOPICS}/${name}/partitions/${partition}/state`;
}
