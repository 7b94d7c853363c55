import { performance } from 'node:perf_hooks';

import type { ResolvedConfig } from '../config/configTable';
import { delay } from '../delay';
import { ConnectorError } from '../errors';
import type { Events } from '../events';
import type { BrokerConnection } from '../kafka/BrokerConnection';
import type { Codecs } from '../kafka/compression/codecs';
import { NONE, OFFSET_OUT_OF_RANGE } from '../kafka/errorCodes';
import { fetchRequest, type FetchAnswer, type FetchedPartition } from '../kafka/fetch';
import { MessageCursor } from '../kafka/records/MessageCursor';
import { scanMessageSet } from '../kafka/records/messageSet';
import { fetchFailure, partitionFailure, tooLarge } from './fetchErrors';
import { keyOf, type PartitionTopicInfo } from './PartitionTopicInfo';
import { Wakeup } from '../Wakeup';
import { resetPositions } from './resetPositions';
import { WorkSlice } from '../WorkSlice';

/** Longest wait of a fetch that leaves partitions out, which must not wait for the others' messages. */
const SHORT_WAIT_MS = 10;
/** How long what was fetched may keep its answer in memory while nothing else is fetched. */
const LINGER_MS = 100;
/** An answer without messages that came sooner than this is followed by a pause, twice as long each time. */
const LEAST_ROUND_MS = 10;
/** The longest of these pauses: as long as a fetch waits for messages by default. */
const LONGEST_PAUSE_MS = 100;

/** What a fetcher needs of its manager. */
export interface BrokerFetcherSettings {
  /** `host:port`, for messages. */
  readonly broker: string;
  readonly config: ResolvedConfig;
  readonly events: Events;
  /** How compressed messages are inflated. */
  readonly codecs: Codecs;
  readonly connect: (signal: AbortSignal) => Promise<BrokerConnection>;
  /** Positions have come from `auto.offset.reset`. */
  readonly onReset: () => void;
  /** These partitions are no longer served here: their leader must be looked up again. */
  readonly giveBack: (infos: readonly PartitionTopicInfo[]) => void;
}

/** Which partitions a fetch leaves out: those of full streams, or also those whose turn is next. */
type LeftOut = 'nothing' | 'full' | 'too-much';

/** A partition as it was asked for. */
interface Asked {
  readonly info: PartitionTopicInfo;
  readonly epoch: number;
  readonly offset: number;
}

/**
 * Fetches from one broker (the JVM's ConsumerFetcherThread): one connection, one request in flight, a queue of its own
 * for each partition's stream. It ends with its first connection error and gives its partitions back.
 */
export class BrokerFetcher {
  readonly #settings: BrokerFetcherSettings;
  /** Partitions by key; the ones whose turn was last are at the end. */
  readonly #partitions = new Map<string, PartitionTopicInfo>();
  /** What the last answer brought: all of it keeps the whole answer in memory. */
  #fetched: MessageCursor[] = [];
  /** Work has come: a partition, space in a queue, a resume. */
  readonly #wakeup = new Wakeup();
  /** The pause after the next answer that brings nothing and comes at once. */
  #pauseMs = LEAST_ROUND_MS;
  /** How long the next fetch waits if a stream is full; twice as long each time, until it has space or something comes. */
  #shortWaitMs = SHORT_WAIT_MS;
  /** Ends the loop. */
  readonly #stopping = new AbortController();

  constructor(settings: BrokerFetcherSettings) {
    this.#settings = settings;
  }

  get isEmpty(): boolean {
    return this.#partitions.size === 0;
  }

  add(info: PartitionTopicInfo): void {
    this.#partitions.set(keyOf(info), info);
    this.#wakeup.wake();
  }

  wake(): void {
    this.#shortWaitMs = SHORT_WAIT_MS;
    this.#wakeup.wake();
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Fetches until it is stopped or the broker fails; never rejects. */
  async run(): Promise<void> {
    const { signal } = this.#stopping;
    let connection: BrokerConnection | undefined;
    try {
      connection = await this.#settings.connect(signal);
      while (!signal.aborted) await this.#round(connection, signal);
    } catch (error) {
      if (!signal.aborted) this.#lostBroker(error);
    } finally {
      connection?.close();
      await this.#unpinFetched();
    }
  }

  /** One fetch, with what must be known before it. */
  async #round(connection: BrokerConnection, signal: AbortSignal): Promise<void> {
    const { config } = this.#settings;
    const unknown = [...this.#partitions.values()].filter(
      (info) => info.fetchOffset === null && info.failure === null,
    );
    if (unknown.length > 0) {
      this.#refused(await resetPositions(unknown, connection, this.#settings, signal));
      this.#settings.onReset();
    }
    const { asked, leftOut } = this.#choose(connection.versions.fetch >= 3);
    if (asked.length === 0) return this.#rest(signal);

    const longestWaitMs = config['fetch.wait.max.ms'];
    const waitMs = { nothing: longestWaitMs, full: this.#shortWaitMs, 'too-much': SHORT_WAIT_MS }[leftOut];
    const startedMs = performance.now();
    const answer = await connection.request(
      fetchRequest(connection.versions.fetch, {
        maxWaitMs: Math.min(waitMs, longestWaitMs),
        minBytes: config['fetch.min.bytes'],
        maxBytes: config['fetch.max.bytes'],
        isolationLevel: config['isolation.level'],
        partitions: asked.map(({ info, offset }) => ({
          topic: info.topic,
          partition: info.partition,
          offset,
          maxBytes: info.fetchSizeBytes,
        })),
      }),
      { signal, timeoutMs: config['socket.timeout.ms'] },
    );
    if (answer.errorCode !== NONE) throw fetchFailure(answer.errorCode, this.#settings.broker);
    const moved = await this.#accept(asked, answer, signal);
    this.#shortWaitMs = moved ? SHORT_WAIT_MS : Math.min(longestWaitMs, this.#shortWaitMs * 2);
    const tookMs = performance.now() - startedMs;
    if (moved || tookMs >= LEAST_ROUND_MS) {
      this.#pauseMs = LEAST_ROUND_MS;
      return;
    }
    await delay(this.#pauseMs, signal);
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
  }

  /** Waits for work. */
  async #rest(signal: AbortSignal): Promise<void> {
    const sinceMs = performance.now();
    await this.#wakeup.wait(signal, this.#fetched.length > 0 ? LINGER_MS : undefined);
    if (performance.now() - sinceMs >= LINGER_MS) await this.#unpinFetched();
  }

  /**
   * The partitions to ask for. Before version 3 a fetch has no limit for all of them together, so the client keeps
   * their sizes within `fetch.max.bytes`, and whoever was asked for goes to the end, served or not. From then on all
   * are asked for, and the broker serves the first ones first: whoever was served goes to the end.
   */
  #choose(brokerLimits: boolean): { asked: readonly Asked[]; leftOut: LeftOut } {
    const asked: Asked[] = [];
    let leftOut: LeftOut = 'nothing';
    let sizeBytes = 0;
    for (const info of this.#partitions.values()) {
      if (info.paused || info.failure !== null || info.fetchOffset === null || info.endsInDamage) continue;
      if (!info.queue.accepts(info)) {
        leftOut = 'full';
        continue;
      }
      sizeBytes += info.fetchSizeBytes;
      if (!brokerLimits && asked.length > 0 && sizeBytes > this.#settings.config['fetch.max.bytes']) {
        leftOut = 'too-much';
        break;
      }
      asked.push({ info, epoch: info.epoch, offset: info.fetchOffset });
    }
    if (!brokerLimits) for (const { info } of asked) this.#toEnd(info);
    return { asked, leftOut };
  }

  #toEnd(info: PartitionTopicInfo): void {
    this.#partitions.delete(keyOf(info));
    this.#partitions.set(keyOf(info), info);
  }

  /** Takes an answer in, with turns for the event loop if it is large; true if it brought anything new. */
  async #accept(
    asked: readonly Asked[],
    { partitions, isCut }: FetchAnswer,
    signal: AbortSignal,
  ): Promise<boolean> {
    const expected = new Map(asked.map((one) => [keyOf(one.info), one]));
    const refused = new Map<PartitionTopicInfo, ConnectorError>();
    let moved = false;
    await this.#unpinFetched();
    const slice = new WorkSlice();
    for (const fetched of partitions) {
      if (slice.isOver) await slice.next();
      if (signal.aborted) return moved;
      const key = keyOf(fetched);
      const one = expected.get(key);
      expected.delete(key);
      // A seek since then makes the answer void.
      if (one === undefined || one.epoch !== one.info.epoch || one.offset !== one.info.fetchOffset) continue;
      const { info } = one;
      if (fetched.errorCode === NONE) {
        info.highWatermark = fetched.highWatermark;
        if (this.#enqueue(info, one.offset, fetched, isCut && fetched === partitions.at(-1))) {
          moved = true;
          this.#toEnd(info);
        }
        continue;
      }
      if (fetched.errorCode === OFFSET_OUT_OF_RANGE && info.resetsInARow === 0) {
        info.outOfRangeOffset = one.offset;
        info.fetchOffset = null;
        moved = true;
        continue;
      }
      refused.set(info, partitionFailure(info, one.offset, fetched.errorCode, this.#settings.broker));
    }
    this.#refused(refused);
    return moved;
  }

  /**
   * What is still queued of the last answer shall not keep it in memory for longer: a slow stream, or a pause, may leave one
   * small chunk of it for hours. Most has been read by the time of the next answer, so that little is copied.
   */
  async #unpinFetched(): Promise<void> {
    const slice = new WorkSlice();
    for (const cursor of this.#fetched.splice(0)) {
      if (slice.isOver) await slice.next();
      cursor.unpin();
    }
  }

  /** Queues what was fetched; true if there was anything. */
  #enqueue(info: PartitionTopicInfo, offset: number, fetched: FetchedPartition, isCut: boolean): boolean {
    const { config, codecs } = this.#settings;
    const { records, abortedTransactions } = fetched;
    if (records.length === 0) return false;
    const scan = scanMessageSet(records, fetched.highWatermark);
    const nextOffset = Math.max(offset, scan.nextOffset);
    if (nextOffset === offset && !scan.damaged) {
      // Not one whole message: ask for more, up to the limit. What was too long for the connection is above it already.
      const limitBytes = config['fetch.max.bytes'];
      if (scan.partial && (isCut || info.fetchSizeBytes >= limitBytes)) {
        this.#fail(
          info,
          tooLarge(info, offset, records.subarray(scan.validBytes), scan.needsBytes, limitBytes),
        );
      }
      info.fetchSizeBytes = Math.min(limitBytes, Math.max(scan.needsBytes, info.fetchSizeBytes * 2));
      // Without the beginning of a message it is padding of a converted set (transaction markers), or a compressed set
      // whose last messages are gone: what follows may need more room, or may not have been written yet.
      return scan.partial;
    }
    info.fetchOffset = nextOffset;
    info.endsInDamage = scan.damaged;
    info.fetchSizeBytes = config['fetch.message.max.bytes'];
    info.resetsInARow = 0;
    const options = { codecs, abortedTransactions };
    const cursor = new MessageCursor(records, offset, info.topic, info.partition, options);
    this.#fetched.push(cursor);
    info.queue.put({ kind: 'messages', info, epoch: info.epoch, cursor, nextOffset });
    return true;
  }

  /** Partitions that the broker does not serve: they look for another leader, or they fail. */
  #refused(errors: ReadonlyMap<PartitionTopicInfo, ConnectorError>): void {
    const givenBack: PartitionTopicInfo[] = [];
    let last: ConnectorError | undefined;
    for (const [info, error] of errors) {
      if (error.retriable) {
        givenBack.push(info);
        last = error;
      } else this.#fail(info, error);
    }
    if (last !== undefined) this.#giveBack(givenBack, last);
  }

  /** The partition stays here, unasked, until a seek ends its failure. */
  #fail(info: PartitionTopicInfo, error: ConnectorError): void {
    info.failure = error;
    info.queue.put({ kind: 'failure', info, epoch: info.epoch, error });
  }

  #giveBack(infos: readonly PartitionTopicInfo[], error: ConnectorError): void {
    const { broker, config, events, giveBack } = this.#settings;
    for (const info of infos) {
      this.#partitions.delete(keyOf(info));
      info.resetsInARow = 0;
    }
    events.emit('fetch:failed', { broker, error, retryInMs: config['refresh.leader.backoff.ms'] });
    giveBack(infos);
  }

  #lostBroker(cause: unknown): void {
    const { broker } = this.#settings;
    const text = `fetching from ${broker} failed: ${String(cause)}`;
    const error = ConnectorError.is(cause)
      ? cause
      : new ConnectorError('BROKER_ERROR', text, { broker, cause });
    this.#giveBack([...this.#partitions.values()], error);
  }
}
