import type { BrokerEndpoint } from '../kafka/brokerVersions';
import type { Logger } from '../logger';
import { decodeBroker } from './brokerRegistration';
import { inParallel } from './inParallel';
import { BROKER_IDS_PATH, deletedTopicPath, topicPath } from './paths';
import { decodeTopicPartitions } from './topicRegistration';
import type { ZookeeperSession } from './ZookeeperSession';

/** What ZooKeeper says of brokers and topics. */
export class ClusterView {
  readonly #session: ZookeeperSession;
  readonly #logger: Logger;

  constructor(session: ZookeeperSession, logger: Logger) {
    this.#session = session;
    this.#logger = logger;
  }

  /** The registered brokers. One that cannot be used is named in the log and left out: the others may lead. */
  async brokers(): Promise<BrokerEndpoint[]> {
    const ids = (await this.#session.children(BROKER_IDS_PATH)) ?? [];
    const brokers = await inParallel(ids, async (id) => {
      const path = `${BROKER_IDS_PATH}/${id}`;
      const node = await this.#session.read(path);
      if (node === null) return null;
      try {
        return decodeBroker(Number(id), node.data, path);
      } catch (error) {
        this.#logger.warn(`the registration of broker ${id} cannot be used`, { error });
        return null;
      }
    });
    return brokers.filter((broker) => broker !== null);
  }

  /** The partitions of each topic, ascending, and a watch for its next change; none for a topic that is not there. */
  async partitionsOf(topics: Iterable<string>): Promise<Map<string, readonly number[]>> {
    const entries = await inParallel(topics, async (topic) => {
      const path = topicPath(topic);
      const node = await this.#session.read(path, { watch: true });
      return [topic, node === null ? [] : decodeTopicPartitions(node.data, path)] as const;
    });
    return new Map(entries);
  }

  /** Those of the topics that exist and are not about to be deleted. */
  async existingTopics(topics: Iterable<string>): Promise<string[]> {
    const found = await inParallel(topics, async (topic) => {
      const [node, deletion] = await Promise.all([
        this.#session.exists(topicPath(topic)),
        this.#session.exists(deletedTopicPath(topic)),
      ]);
      return node !== null && deletion === null ? topic : null;
    });
    return found.filter((topic) => topic !== null);
  }
}
