import type { EmbeddedNetwork } from '../network/EmbeddedNetwork';
import { HOST, Listener } from '../network/Listener';
import type { LocalSession } from '../zookeeper/LocalSession';
import { BrokerConversation, type AnsweringBroker } from './BrokerConversation';
import { BrokerProperties } from './BrokerProperties';
import { advertisedAddress, writeRegistration } from './brokerRegistration';
import type { LiveBroker } from './KafkaState';
import { makePersistentNodes, reserveProducerIds } from './persistentNodes';

/** socket.request.max.bytes. */
const MAX_FRAME_BYTES = 100 * 1024 * 1024;

/** What a broker needs of the cluster. */
export interface BrokerSurroundings extends Omit<AnsweringBroker, 'id'> {
  readonly network: EmbeddedNetwork;
  readonly openSession: () => LocalSession;
  /** Lines of server.properties, asked for at each start. */
  readonly propertiesOf: (broker: LiveBroker) => Promise<Readonly<Record<string, string>>>;
  /** There may be no controller any more. */
  readonly controllerMayBeGone: () => void;
}

/** One broker: a port that clients connect to, and a session that holds its registration. */
export class Broker {
  readonly id: number;
  readonly #surroundings: BrokerSurroundings;
  #listener: Listener;
  #properties: BrokerProperties;
  /** Null while the broker is stopped. */
  #session: LocalSession | null = null;
  /** Ends what listens to the session. */
  #unsubscribe: (() => void)[] = [];

  constructor(id: number, surroundings: BrokerSurroundings) {
    this.id = id;
    this.#surroundings = surroundings;
    this.#listener = this.#makeListener(0);
    this.#properties = new BrokerProperties(surroundings.cluster.generation);
  }

  /** Where it listens, or did and will; port 0 before the first start. */
  get address(): LiveBroker {
    return { id: this.id, host: HOST, port: this.#listener.port };
  }

  get properties(): BrokerProperties {
    return this.#properties;
  }

  /** Null while it is stopped. */
  get session(): LocalSession | null {
    return this.#session;
  }

  /**
   * Listens, but is not in ZooKeeper yet.
   *
   * @param port - default the one that it had, or any
   * @throws RangeError for properties that cannot be used
   */
  async listen(port?: number): Promise<void> {
    const before = this.#listener;
    if (before.isListening) throw new Error(`broker ${this.id} runs already`);
    const listener = port === undefined || port === before.port ? before : this.#makeListener(port);
    this.#listener = listener;
    try {
      await listener.start();
      const properties = await this.#askForProperties();
      if (!listener.isListening) throw new Error(`broker ${this.id} was stopped before it was started`);
      this.#properties = properties;
    } catch (error) {
      await listener.stop();
      // What it was told for this start in vain does not count for the next one.
      this.#listener = before;
      throw error;
    }
  }

  /** From now on the controller knows it. */
  register(): void {
    const { cluster, openSession } = this.#surroundings;
    const session = openSession();
    this.#session = session;
    makePersistentNodes(session, cluster.generation);
    reserveProducerIds(session, cluster.generation, this.id);
    this.#writeRegistration(session);
    this.#unsubscribe = [
      session.onChange(({ type, path }) => {
        if (type === 'deleted' && path === '/controller') this.#surroundings.controllerMayBeGone();
      }),
      session.onExpired(() => queueMicrotask(() => this.#registerAgain(session))),
    ];
  }

  /** Its connections are reset, and what it has led gets other leaders. Nothing happens if it is stopped. */
  async stop(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    const stopped = this.#listener.stop();
    this.#fallSilent();
    if (session?.isOpen === true) session.close();
    await stopped;
  }

  async #askForProperties(): Promise<BrokerProperties> {
    const { cluster, propertiesOf } = this.#surroundings;
    const properties = new BrokerProperties(cluster.generation, await propertiesOf(this.address));
    advertisedAddress(this.address, cluster.generation, properties);
    return properties;
  }

  #writeRegistration(session: LocalSession): void {
    const { generation } = this.#surroundings.cluster;
    const path = `/brokers/ids/${this.id}`;
    const address = advertisedAddress(this.address, generation, this.#properties);
    const data = writeRegistration(address, generation, Date.now());
    session.create(path, data, { ephemeral: true });
    // Brokers of 3.9 write it a second time when they are ready to be asked.
    if (generation === '3.9') session.set(path, data);
  }

  #registerAgain(expired: LocalSession): void {
    if (this.#session !== expired) return;
    this.#fallSilent();
    try {
      this.register();
    } catch (error) {
      this.#surroundings.onFault(error);
    }
    this.#surroundings.controllerMayBeGone();
  }

  #fallSilent(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#unsubscribe = [];
  }

  #makeListener(port: number): Listener {
    const { network, cluster, failures, onFault } = this.#surroundings;
    const self: AnsweringBroker = { id: this.id, cluster, failures, onFault };
    return new Listener(
      network,
      { server: 'broker', number: this.id, maxFrameBytes: MAX_FRAME_BYTES },
      (connection) => new BrokerConversation(connection, self),
      port,
    );
  }
}
