import type { LocalSession } from '../zookeeper/LocalSession';
import type { ControlledCluster } from './Controller';
import { readTopicNode } from './topicNodes';

const REQUESTS = '/admin/delete_topics';
const TOPICS = '/brokers/topics';

/**
 * Topics that are to go. Clients lose them at once; their nodes go when all brokers with a replica are alive, since
 * each of them has to delete its own.
 */
export class TopicDeletions {
  readonly #session: LocalSession;
  readonly #cluster: Pick<ControlledCluster, 'generation' | 'property' | 'dropTopic'>;
  readonly #going = new Set<string>();

  constructor(
    session: LocalSession,
    cluster: Pick<ControlledCluster, 'generation' | 'property' | 'dropTopic'>,
  ) {
    this.#session = session;
    this.#cluster = cluster;
  }

  has(topic: string): boolean {
    return this.#going.has(topic);
  }

  /** Takes the requests that are in ZooKeeper. */
  take(live: ReadonlySet<number>): void {
    const isEnabled = this.#cluster.property('delete.topic.enable') === 'true';
    for (const name of this.#session.children(REQUESTS) ?? []) {
      if (isEnabled && this.#session.get(`${TOPICS}/${name}`) !== null) this.#begin(name);
      // Kafka 0.8 lets a request lie that it does not follow.
      else if (isEnabled || this.#cluster.generation !== '0.8') this.#removeRecursive(`${REQUESTS}/${name}`);
    }
    this.finish(live);
  }

  /** Its nodes go at once: no controller finds them, even if a broker with a replica is away. */
  force(name: string): void {
    this.#begin(name);
    this.#remove(name);
  }

  /** Clients do not find it any more. */
  #begin(name: string): void {
    this.#going.add(name);
    this.#cluster.dropTopic(name);
  }

  /** Removes the nodes of those topics whose replicas are all on live brokers. */
  finish(live: ReadonlySet<number>): void {
    for (const name of this.#going) {
      const data = this.#session.get(`${TOPICS}/${name}`)?.data;
      const assignment = data === undefined ? [] : (readTopicNode(data)?.assignment ?? []);
      if (!assignment.flat().every((id) => live.has(id))) continue;
      this.#remove(name);
    }
  }

  #remove(name: string): void {
    for (const path of [`${TOPICS}/${name}`, `/config/topics/${name}`, `${REQUESTS}/${name}`]) {
      this.#removeRecursive(path);
    }
    this.#going.delete(name);
  }

  #removeRecursive(path: string): void {
    const names = this.#session.children(path);
    if (names === null) return;
    for (const name of names) this.#removeRecursive(`${path}/${name}`);
    this.#session.delete(path);
  }
}
