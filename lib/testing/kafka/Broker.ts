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
  /** Everybody takes note at once of who has a session and who has not. */
  readonly settle: () => void;
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
  /** Is over when the start that is under way is, in vain or not; null while there is none. */
  #starting: Promise<void> | null = null;
  /** Lets a start that is under way fail. */
  #cancelStart: () => void = () => undefined;

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
   * Listens, but is not in ZooKeeper yet. A broker that cannot start is what it was before.
   *
   * @throws RangeError for properties that cannot be used, Error if it runs, is being started, or is stopped meanwhile
   */
  listen(): Promise<void> {
    return this.#begin(this.#listener, () => undefined);
  }

  /**
   * Listens, and the controller knows it. A broker that cannot start is what it was before.
   *
   * @param port - default the one that it had, or any
   * @throws as `listen` does
   */
  start(port = this.#listener.port): Promise<void> {
    const listener = port === this.#listener.port ? this.#listener : this.#makeListener(port);
    return this.#begin(listener, () => this.register());
  }

  /**
   * From now on the controller knows it.
   *
   * @throws Error if it does not listen any more
   */
  register(): void {
    if (!this.#listener.isListening) throw this.#stoppedMeanwhile();
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
      session.onExpired(() => this.#registerAgain()),
    ];
  }

  /**
   * Its connections are reset, and what it has led gets other leaders. A start that is under way fails. Nothing happens if
   * it is stopped.
   */
  async stop(): Promise<void> {
    this.#cancelStart();
    if (this.#starting !== null) await this.#starting;
    await this.#end();
  }

  async #begin(listener: Listener, listening: () => void): Promise<void> {
    if (this.#starting !== null) throw new Error(`broker ${this.id} is being started`);
    if (this.#listener.isListening) throw new Error(`broker ${this.id} runs already`);
    const start = this.#tryToStart(listener, listening);
    this.#starting = start.catch(() => undefined);
    try {
      await start;
    } finally {
      this.#starting = null;
    }
  }

  async #tryToStart(listener: Listener, listening: () => void): Promise<void> {
    const before = { listener: this.#listener, properties: this.#properties };
    const cancelled = new Promise<never>((_, reject) => {
      this.#cancelStart = () => reject(this.#stoppedMeanwhile());
    });
    // It is of interest only while the properties are awaited.
    cancelled.catch(() => undefined);
    this.#listener = listener;
    try {
      await listener.start();
      this.#properties = await Promise.race([cancelled, this.#askForProperties()]);
      listening();
    } catch (error) {
      await this.#end();
      // What it was told for this start in vain does not count for the next one.
      this.#listener = before.listener;
      this.#properties = before.properties;
      throw error;
    }
  }

  async #end(): Promise<void> {
    const session = this.#session;
    this.#session = null;
    const stopped = this.#listener.stop();
    this.#fallSilent();
    if (session?.isOpen === true) session.close();
    await stopped;
  }

  #stoppedMeanwhile(): Error {
    return new Error(`broker ${this.id} was stopped before it was started`);
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

  /** The end of its session is that of the broker; it comes back only when the others have taken note. */
  #registerAgain(): void {
    const { settle, onFault } = this.#surroundings;
    this.#fallSilent();
    try {
      settle();
      this.register();
      settle();
    } catch (error) {
      onFault(error);
    }
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
