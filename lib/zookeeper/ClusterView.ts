import { ConnectorError } from '../errors';
import { failuresToGetIn } from '../kafka/failuresToGetIn';
import type { SecurityProtocol } from '../kafka/brokerSecurity';
import type { BrokerEndpoint } from '../kafka/brokerVersions';
import { NONE, UNKNOWN_TOPIC_OR_PARTITION } from '../kafka/errorCodes';
import { errorName } from '../kafka/errorNames';
import { metadataFromAnyOf, type Connect } from '../kafka/metadataFromAnyOf';
import type { Logger } from '../logger';
import { decodeBroker } from './brokerRegistration';
import { inParallel } from './inParallel';
import { BROKER_IDS_PATH, BROKER_TOPICS_PATH, deletedTopicPath, topicPath } from './paths';
import { decodeTopicPartitions } from './topicRegistration';
import type { ZookeeperSession } from './ZookeeperSession';

export interface ClusterViewOptions {
  readonly session: ZookeeperSession;
  readonly protocol: SecurityProtocol;
  /** `bootstrap.servers`: where brokers are that have moved to KRaft, and so are no longer in ZooKeeper. */
  readonly bootstrap: readonly BrokerEndpoint[];
  readonly connect: Connect;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Brokers and topics, as ZooKeeper says; or as the brokers of `bootstrap.servers` say, while none is registered in ZooKeeper:
 * what ZooKeeper still has of topics is out of date then.
 */
export class ClusterView {
  readonly connect: Connect;
  readonly #options: ClusterViewOptions;

  constructor(options: ClusterViewOptions) {
    this.#options = options;
    this.connect = options.connect;
  }

  /**
   * The brokers that can be used. One that cannot is named in the log and left out: the others may lead.
   *
   * @throws ConnectorError BROKER_UNREACHABLE if none is registered, BROKER_ERROR if all that are cannot be used
   */
  async brokers(): Promise<readonly BrokerEndpoint[]> {
    const { session, protocol, bootstrap, logger } = this.#options;
    const ids = await this.#registeredIds();
    if (ids.length === 0 && bootstrap.length > 0) return bootstrap;
    let failure: unknown = noneRegistered();
    const brokers = await inParallel(ids, async (id) => {
      const path = `${BROKER_IDS_PATH}/${id}`;
      const node = await session.read(path);
      if (node === null) return null;
      try {
        return decodeBroker(Number(id), node.data, path, protocol);
      } catch (error) {
        logger.warn(`the registration of broker ${id} cannot be used`, { error });
        failure = error;
        return null;
      }
    });
    const usable = brokers.filter((broker) => broker !== null);
    if (usable.length === 0) throw failure;
    return usable;
  }

  /**
   * Rejects if a member with these settings could not do its work: with BROKER_ERROR if brokers refuse it for good, by what they
   * registered or when it logs in. Registered brokers that are away prove nothing, they may come back. Of those of
   * `bootstrap.servers` one must be there, since only they know the partitions.
   */
  async assertServed(): Promise<void> {
    const { protocol, bootstrap, connect, logger, signal } = this.#options;
    let brokers: readonly BrokerEndpoint[];
    try {
      brokers = await this.brokers();
    } catch (error) {
      if (!ConnectorError.is(error) || error.code !== 'BROKER_UNREACHABLE') throw error;
      logger.warn(error.message);
      return;
    }
    const isMoved = brokers === bootstrap;
    // Brokers that are in ZooKeeper with a plaintext listener have nothing that could be wrong.
    if (protocol === 'PLAINTEXT' && !isMoved) return;
    const failures = await failuresToGetIn(brokers, connect, signal);
    const refusal = failures.find(({ code }) => code === 'BROKER_ERROR');
    if (isMoved && failures.length > 0) throw noBootstrapServer(failures, refusal);
    if (refusal) throw refusal;
  }

  /** The names of all topics, and a watch for the next one. */
  async topics(): Promise<readonly string[]> {
    const registered = (await this.#options.session.children(BROKER_TOPICS_PATH, { watch: true })) ?? [];
    if (!(await this.#hasMoved())) return registered;
    const { bootstrap, connect, signal } = this.#options;
    const metadata = await metadataFromAnyOf(bootstrap, 'all', connect, signal);
    return metadata.topics.map(({ name }) => name);
  }

  /** The partitions of each topic, ascending, and a watch for its next change; none for a topic that is not there. */
  async partitionsOf(topics: Iterable<string>): Promise<Map<string, readonly number[]>> {
    if (await this.#hasMoved()) return this.#partitionsFromBrokers([...topics]);
    const entries = await inParallel(topics, async (topic) => {
      const path = topicPath(topic);
      const node = await this.#options.session.read(path, { watch: true });
      return [topic, node === null ? [] : decodeTopicPartitions(node.data, path)] as const;
    });
    return new Map(entries);
  }

  /** Those of the topics that exist and are not about to be deleted. Brokers may create a topic that they are asked about. */
  async existingTopics(topics: Iterable<string>): Promise<readonly string[]> {
    // A broker of KRaft has the version of the question that creates nothing.
    if (await this.#hasMoved()) return [...topics];
    const { session } = this.#options;
    const found = await inParallel(topics, async (topic) => {
      const [node, deletion] = await Promise.all([
        session.exists(topicPath(topic)),
        session.exists(deletedTopicPath(topic)),
      ]);
      return node !== null && deletion === null ? topic : null;
    });
    return found.filter((topic) => topic !== null);
  }

  /** Nobody tells of a change here: the regular comparison finds it. */
  async #partitionsFromBrokers(topics: readonly string[]): Promise<Map<string, readonly number[]>> {
    const partitions = new Map<string, readonly number[]>(topics.map((topic) => [topic, []]));
    if (topics.length === 0) return partitions;
    const { bootstrap, connect, signal } = this.#options;
    const metadata = await metadataFromAnyOf(bootstrap, topics, connect, signal);
    for (const { name, errorCode, partitions: found } of metadata.topics) {
      if (errorCode !== NONE && errorCode !== UNKNOWN_TOPIC_OR_PARTITION) {
        const text = `the brokers answered ${errorName(errorCode)} when asked for the partitions of topic "${name}"`;
        throw new ConnectorError('BROKER_UNREACHABLE', text, { topic: name, brokerCode: errorCode });
      }
      if (partitions.has(name))
        partitions.set(
          name,
          found.map(({ id }) => id).sort((a, b) => a - b),
        );
    }
    return partitions;
  }

  async #hasMoved(): Promise<boolean> {
    return this.#options.bootstrap.length > 0 && (await this.#registeredIds()).length === 0;
  }

  async #registeredIds(): Promise<readonly string[]> {
    return (await this.#options.session.children(BROKER_IDS_PATH)) ?? [];
  }
}

function noneRegistered(): ConnectorError {
  return new ConnectorError(
    'BROKER_UNREACHABLE',
    `no broker is registered in ${BROKER_IDS_PATH}: all of them are down, or zookeeper.connect has the wrong chroot, or they ` +
      'have moved to KRaft; then set bootstrap.servers',
    { path: BROKER_IDS_PATH },
  );
}

function noBootstrapServer(
  failures: readonly ConnectorError[],
  refusal: ConnectorError | undefined,
): ConnectorError {
  const text =
    `no broker is registered in ${BROKER_IDS_PATH}, and none of bootstrap.servers lets this client in: ` +
    failures.map(({ message }) => message).join('; ');
  return new ConnectorError(refusal?.code ?? 'BROKER_UNREACHABLE', text, { cause: refusal ?? failures[0] });
}
