import type { ConnectorConfig } from './config/ConnectorConfig';
import type { ResolvedConfig } from './config/configTable';
import { resolveConfig } from './config/resolveConfig';
import { assertConnectorOptions, type ConnectorOptions } from './ConnectorOptions';
import { assertRebalanceListener, type ConsumerRebalanceListener } from './ConsumerRebalanceListener';
import { Consumption } from './Consumption';
import { delay } from './delay';
import { ConnectorError } from './errors';
import { Events, type ConnectorEvents } from './events';
import { BrokerConnection } from './kafka/BrokerConnection';
import type { BrokerSecurity } from './kafka/brokerSecurity';
import type { BrokerEndpoint } from './kafka/brokerVersions';
import { BrokerVersionsMemory } from './kafka/BrokerVersionsMemory';
import { codecsWith } from './kafka/compression/codecs';
import { guarded, silentLogger, type Logger } from './logger';
import { logEvents } from './eventLog';
import { partitionGiven, partitionsGiven } from './partitionArguments';
import { EventLoopTurn } from './stream/EventLoopTurn';
import { MessageStream } from './stream/MessageStream';
import { assertStreamOptions } from './stream/streamOptions';
import { RebalanceCallbacks } from './RebalanceCallbacks';
import { filterSubscriptionOf, subscriptionOf } from './subscription';
import type { TopicFilter } from './TopicFilter';
import type {
  ConnectorState,
  KafkaStream,
  NextOffset,
  OwnedPartition,
  StreamOptions,
  TopicPartition,
} from './types';
import { ZKRebalanceListener } from './ZKRebalanceListener';
import { consumerIdString, threadId } from './zookeeper/consumerId';
import type { Subscription } from './zookeeper/registration';

/** How often ZooKeeper is compared with what is held, beside the watches. */
const CHECK_INTERVAL_MS = 30_000;
/** Answers above this are refused; a single message may be larger than `fetch.max.bytes`. */
const LEAST_FRAME_LIMIT_BYTES = 128 * 1024 * 1024;

/**
 * The high-level consumer of Apache Kafka whose group lives in ZooKeeper (kafka.consumer.ZookeeperConsumerConnector,
 * Kafka 0.8 to 1.1). It shares a group with the JVM's.
 *
 * `createMessageStreams` connects, registers and rebalances; the streams are read with `for await`; `shutdown` commits,
 * releases the partitions and ends everything. All settings have the names of the JVM's properties.
 */
export class ZookeeperConsumerConnector implements AsyncDisposable {
  /** The name of this member in its group; the same for the connector's whole life. */
  readonly consumerId: string;
  /** Resolves after `shutdown()`; rejects if an error ended the connector. */
  readonly closed: Promise<void>;

  readonly #config: ResolvedConfig;
  /** How brokers are spoken to. */
  readonly #security: BrokerSecurity;
  readonly #logger: Logger;
  readonly #events: Events;
  /** Streams, positions, fetchers. */
  readonly #consumption: Consumption;
  /** Lets the event loop in between messages; all streams share it. */
  readonly #turn = new EventLoopTurn();
  /** Which brokers do not answer ApiVersions. */
  readonly #versions = new BrokerVersionsMemory();
  /** To the application's rebalance listener. */
  #callbacks: RebalanceCallbacks;
  /** Registry and rebalance; null until streams are created. */
  #listener: ZKRebalanceListener | null = null;
  /** Where the connector stands, but for what the listener says while it is `active`. */
  #phase: 'idle' | 'connecting' | 'active' | 'closing' | 'closed' = 'idle';
  /** Ends the timers. */
  readonly #closing = new AbortController();
  /** The one shutdown that all callers share. */
  #shutdown: Promise<void> | null = null;
  /** Settles `closed`. */
  readonly #settleClosed: { resolve: () => void; reject: (error: ConnectorError) => void };
  /** Takes the listener off the application's signal. */
  readonly #forgetSignal: () => void;

  /**
   * Checks every setting; connects to nothing.
   *
   * @param config - `group.id` and `zookeeper.connect` are required
   * @param options - `logger`, `signal`, `codecs`
   * @throws ConnectorError CONFIG_INVALID with all faults in `context.faults`
   */
  constructor(config: ConnectorConfig, options: ConnectorOptions = {}) {
    const { config: resolved, security, warnings } = resolveConfig(config);
    this.#config = resolved;
    this.#security = security;
    assertConnectorOptions(options);
    this.#logger = guarded(options.logger ?? silentLogger);
    for (const warning of warnings) this.#logger.warn(warning);
    this.#callbacks = this.#callbacksTo({});
    this.consumerId = consumerIdString(resolved['group.id'], resolved['consumer.id']);
    this.#events = new Events(this.#logger);
    logEvents(this.#events, this.#logger);
    this.#consumption = new Consumption(
      resolved,
      this.#events,
      this.#logger,
      codecsWith(options.codecs ?? {}),
    );

    let settle: { resolve: () => void; reject: (error: ConnectorError) => void } | undefined;
    this.closed = new Promise((resolve, reject) => (settle = { resolve, reject }));
    this.closed.catch(() => undefined); // whoever does not look at it shall not crash
    this.#settleClosed = settle as unknown as NonNullable<typeof settle>;

    const { signal } = options;
    const onAbort = (): void => void this.shutdown();
    this.#forgetSignal = () => signal?.removeEventListener('abort', onAbort);
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted === true) onAbort();
  }

  get state(): ConnectorState {
    if (this.#phase !== 'active') return this.#phase;
    if (this.#listener?.sessionState !== 'connected') return 'suspended';
    return this.#consumption.flows ? 'running' : 'rebalancing';
  }

  /**
   * Joins the group with the given number of streams (threads) per topic, and resolves with the streams: index n is
   * thread n. Resolves after the first successful rebalance, or after `rebalance.max.retries` attempts while further
   * ones go on. To be called once; an empty map joins without consuming.
   *
   * @throws ConnectorError before the member is registered only: ZOOKEEPER_UNREACHABLE, SESSION_LOST, CHROOT_MISSING,
   * NO_AUTH, CONSUMER_ID_IN_USE, BROKER_ERROR, BROKER_UNREACHABLE (then it may be called again), CONFIG_INVALID, STREAMS_EXIST, CONNECTOR_CLOSED
   */
  async createMessageStreams<K = Buffer, V = Buffer>(
    topicCountMap: Record<string, number> | ReadonlyMap<string, number>,
    options: StreamOptions<K, V> = {},
  ): Promise<Map<string, KafkaStream<K, V>[]>> {
    this.#assertNoStreams();
    const subscription = subscriptionOf(topicCountMap);
    assertStreamOptions(options);
    const byTopic = Array.from(subscription.subscription, ([topic, count]) => {
      return [topic, this.#makeStreams(topic, count, options)] as const;
    });
    await this.#join(
      subscription,
      byTopic.flatMap(([, streams]) => streams),
    );
    return new Map(byTopic);
  }

  /**
   * Joins the group with this number of streams, which share all topics that the filter takes, also those that come later;
   * for the rest as `createMessageStreams`. The topics of a stream's messages are mixed.
   *
   * @param filter - a `Whitelist` or a `Blacklist`
   * @param numStreams - default 1
   */
  async createMessageStreamsByFilter<K = Buffer, V = Buffer>(
    filter: TopicFilter,
    numStreams = 1,
    options: StreamOptions<K, V> = {},
  ): Promise<KafkaStream<K, V>[]> {
    this.#assertNoStreams();
    const subscription = filterSubscriptionOf(filter, numStreams);
    assertStreamOptions(options);
    const streams = this.#makeStreams(null, numStreams, options);
    await this.#join(subscription, streams);
    return streams;
  }

  /**
   * Sets who is told of each rebalance, in place of the one that was set before. To be called before streams are created.
   *
   * @throws ConnectorError STREAMS_EXIST, CONNECTOR_CLOSED, CONFIG_INVALID (no listener)
   */
  setConsumerRebalanceListener(listener: ConsumerRebalanceListener): void {
    this.#assertNoStreams();
    assertRebalanceListener(listener);
    this.#callbacks = this.#callbacksTo(listener);
  }

  /** The partitions that this member owns at the moment, with the position behind what was handed out. */
  ownedPartitions(): readonly OwnedPartition[] {
    return this.#consumption.ownedPartitions();
  }

  /**
   * Without argument: stores the positions behind everything that the application was handed, as in Scala. With
   * offsets: exactly these. Positions below what this member has stored already are left out, except after a seek.
   * In the middle of a rebalance it waits for its end.
   *
   * @throws ConnectorError COMMIT_FAILED, NOT_OWNED, OFFSET_INVALID, CONNECTOR_CLOSED, CONFIG_INVALID (wrong arguments)
   */
  async commitOffsets(offsets?: Iterable<NextOffset>): Promise<void> {
    const given =
      offsets === undefined
        ? undefined
        : partitionsGiven(offsets, 'commitOffsets takes a list of { topic, partition, nextOffset }');
    // Without a pause where none is needed: what is handed out after this call is not meant.
    if (!this.#consumption.isClaimed) await this.#untilClaimed();
    if (given !== undefined) return this.#consumption.commitExactly(given);
    // The rebalance listener may ask whether there is anything to store or not.
    if (this.#phase !== 'idle' && !this.#callbacks.isCaller && !this.#consumption.isClaimed) {
      throw new ConnectorError(
        'COMMIT_FAILED',
        'no partition is held at the moment: the last rebalance failed',
      );
    }
    return this.#consumption.commitHanded();
  }

  /**
   * Neither fetches nor hands out messages of these partitions until `resume`; it survives rebalances.
   *
   * @throws ConnectorError NOT_OWNED, CONFIG_INVALID (wrong arguments)
   */
  pause(partitions: Iterable<TopicPartition>): void {
    this.#consumption.pause(partitionsGiven(partitions, 'pause takes a list of { topic, partition }'));
  }

  /**
   * Ends a pause, also that of a partition which has gone to another member in the meantime.
   *
   * @throws ConnectorError NOT_OWNED for a partition that is neither owned nor paused, CONFIG_INVALID (wrong arguments)
   */
  resume(partitions: Iterable<TopicPartition>): void {
    this.#consumption.resume(partitionsGiven(partitions, 'resume takes a list of { topic, partition }'));
  }

  /**
   * Goes on at another position, also past a message that could not be handed out (`error.context.nextOffset`).
   *
   * @throws ConnectorError NOT_OWNED, OFFSET_INVALID, BROKER_UNREACHABLE, SESSION_LOST, CONFIG_INVALID (wrong arguments)
   */
  async seek(to: TopicPartition & { nextOffset: number | 'smallest' | 'largest' }): Promise<void> {
    partitionGiven(to, 'seek takes { topic, partition, nextOffset }');
    if (!this.#consumption.isClaimed) await this.#untilClaimed();
    return this.#consumption.seek(to, to.nextOffset);
  }

  /**
   * Listens to what the connector does; the returned function ends it. A listener's throw is logged, no more.
   *
   * @throws ConnectorError CONFIG_INVALID for an event that there is not, or a listener that is no function
   */
  on<E extends keyof ConnectorEvents>(event: E, listener: (payload: ConnectorEvents[E]) => void): () => void {
    return this.#events.on(event, listener);
  }

  /**
   * Ends everything, in order: stop handing out, wait for what is in work (`rebalance.drain.timeout.ms` at most),
   * commit what is processed (`auto.commit.enable`), release the partitions, end the session, end the streams' loops.
   * Works at any moment, any number of times, and never rejects.
   */
  shutdown(): Promise<void> {
    return this.#end(null);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.shutdown();
  }

  #end(error: ConnectorError | null): Promise<void> {
    return (this.#shutdown ??= this.#close(error));
  }

  async #close(error: ConnectorError | null): Promise<void> {
    this.#phase = 'closing';
    this.#forgetSignal();
    this.#closing.abort();
    await this.#listener?.close();
    this.#consumption.close();
    this.#phase = 'closed';
    this.#events.emit('connector:closed', { error });
    if (error === null) this.#settleClosed.resolve();
    else this.#settleClosed.reject(error);
  }

  #callbacksTo(listener: ConsumerRebalanceListener): RebalanceCallbacks {
    return new RebalanceCallbacks(listener, this.#config['rebalance.drain.timeout.ms'], this.#logger);
  }

  /** Streams exist from the moment they are asked for: a call meanwhile is refused, too. */
  #assertNoStreams(): void {
    if (this.#phase === 'closing' || this.#phase === 'closed') throw closedError();
    if (this.#phase === 'idle') return;
    const text =
      'streams were created before: one connector has one set of streams, and its rebalance listener is set before them';
    throw new ConnectorError('STREAMS_EXIST', text);
  }

  #makeStreams<K, V>(
    topic: string | null,
    count: number,
    options: StreamOptions<K, V>,
  ): MessageStream<K, V>[] {
    return Array.from({ length: count }, (_, n) => {
      return new MessageStream<K, V>({
        ...options,
        ...{ topic, turn: this.#turn, threadId: threadId(this.consumerId, n) },
        maxChunks: this.#config['queued.max.message.chunks'],
        timeoutMs: this.#config['consumer.timeout.ms'],
        onFailure: ({ topic, partition }, error) =>
          this.#events.emit('partition:failed', { topic, partition, error }),
      });
    });
  }

  /** Registers and rebalances; the streams' messages flow from then on. */
  async #join<K, V>(subscription: Subscription, streams: readonly MessageStream<K, V>[]): Promise<void> {
    this.#phase = 'connecting';
    for (const stream of streams) this.#consumption.addStream(stream);
    this.#listener = new ZKRebalanceListener({
      ...{ config: this.#config, consumerId: this.consumerId, subscription },
      ...{ consumption: this.#consumption, events: this.#events, logger: this.#logger },
      callbacks: this.#callbacks,
      connect: (broker, signal) => this.#connect(broker, signal),
      onFatal: (error) => void this.#end(error),
    });
    try {
      await this.#listener.join();
    } catch (error) {
      // Nothing stays registered: the application may try again.
      await this.#listener.close();
      if (this.#shutdown === null) {
        this.#consumption.removeStreams();
        this.#listener = null;
        this.#phase = 'idle';
      }
      throw error;
    }
    if (this.#shutdown !== null) throw closedError();
    this.#phase = 'active';
    void this.#every(CHECK_INTERVAL_MS, () => this.#listener?.trigger('interval'));
    if (this.#config['auto.commit.enable']) {
      void this.#every(this.#config['auto.commit.interval.ms'], () =>
        this.#consumption.commitProcessed({ retryOnFailure: false }),
      );
    }
  }

  #connect(broker: BrokerEndpoint, signal: AbortSignal): Promise<BrokerConnection> {
    return BrokerConnection.connect(broker, {
      clientId: this.#config['client.id'],
      timeoutMs: this.#config['socket.timeout.ms'],
      maxFrameBytes: Math.max(LEAST_FRAME_LIMIT_BYTES, 2 * this.#config['fetch.max.bytes']),
      memory: this.#versions,
      security: this.#security,
      signal,
    });
  }

  /** Waits while a rebalance has released the partitions and not yet claimed them again. */
  async #untilClaimed(): Promise<void> {
    if (this.#phase === 'closed') throw closedError();
    await this.#listener?.attempt;
  }

  /** Repeats a task until shutdown; a failure is logged. */
  async #every(intervalMs: number, task: () => void | Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      await delay(intervalMs, signal);
      if (signal.aborted) return;
      try {
        await task();
      } catch (error) {
        this.#logger.warn('offsets could not be committed; the next interval tries again', { error });
      }
    }
  }
}

function closedError(): ConnectorError {
  return new ConnectorError('CONNECTOR_CLOSED', 'the connector was shut down; make a new one');
}
