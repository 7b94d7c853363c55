import type { ResolvedConfig } from './config/configTable';
import { shownValue } from './config/shownValue';
import { delay } from './delay';
import { ConnectorError } from './errors';
import type { Events } from './events';
import { ConsumerFetcherManager } from './fetch/ConsumerFetcherManager';
import type { Cluster } from './fetch/cluster';
import { keyOf, PartitionTopicInfo } from './fetch/PartitionTopicInfo';
import type { Codecs } from './kafka/compression/codecs';
import type { Logger } from './logger';
import { OffsetCommits } from './offsets/OffsetCommits';
import type { OffsetStore } from './offsets/OffsetStore';
import type { Lease } from './stream/HandOut';
import type { MessageStream } from './stream/MessageStream';
import type { NextOffset, OwnedPartition, TopicPartition } from './types';

/** A stream from the connector's side, whatever its messages are decoded to. */
type Stream = Pick<
  MessageStream<unknown, unknown>,
  'threadId' | 'queue' | 'hold' | 'drained' | 'release' | 'wake' | 'close'
>;

/** What a membership has claimed for this member, and with it the right to read it and to store its positions. */
export interface Claim {
  readonly partitions: readonly (TopicPartition & { readonly threadId: string })[];
  /** Stored positions by {@link keyOf}, read after the claim. */
  readonly offsets: ReadonlyMap<string, number | null | ConnectorError>;
  readonly store: OffsetStore;
  readonly cluster: Cluster;
  readonly lease: Lease;
}

/**
 * Everything behind a membership: it is told "these partitions, now" (start) and "give them up" (stop, commit,
 * release; or letGo), and keeps fetchers, streams and positions in step with that.
 *
 * States: claimed, from start to release or letGo; between them nothing is owned and nothing is committed. Within
 * claimed, from stop on nothing is handed out any more.
 */
export class Consumption {
  readonly #config: ResolvedConfig;
  readonly #events: Events;
  readonly #logger: Logger;
  /** How compressed messages are inflated. */
  readonly #codecs: Codecs;
  /** All streams, by topic and thread id. */
  readonly #streams = new Map<string, Stream>();
  /** The partitions of the last claim by key; they keep their positions while they are claimed again. */
  #infos = new Map<string, PartitionTopicInfo>();
  /** The claim that stands; null between two claims. */
  #claim: Claim | null = null;
  /** Runs while messages flow. */
  #fetchers: ConsumerFetcherManager | null = null;
  /** Partitions that the application has paused, by key. Survives rebalances. */
  readonly #paused = new Set<string>();
  readonly #commits: OffsetCommits;

  constructor(config: ResolvedConfig, events: Events, logger: Logger, codecs: Codecs) {
    this.#config = config;
    this.#events = events;
    this.#logger = logger;
    this.#codecs = codecs;
    this.#commits = new OffsetCommits(
      events,
      (info) => this.#claim !== null && this.#infos.get(keyOf(info)) === info,
    );
  }

  /** Adds the stream of one thread for one topic. */
  addStream(topic: string, stream: Stream): void {
    this.#streams.set(`${topic}/${stream.threadId}`, stream);
    stream.queue.onSpace = () => this.#fetchers?.wake();
  }

  /** Takes all streams away: the group could not be joined. */
  removeStreams(): void {
    this.close();
    this.#streams.clear();
  }

  /** Whether partitions are held, and positions of them can be stored. */
  get isClaimed(): boolean {
    return this.#claim !== null;
  }

  /** Whether messages are fetched and handed out. */
  get flows(): boolean {
    return this.#claim !== null && this.#fetchers !== null;
  }

  /** Whether exactly these partitions are claimed and messages flow. */
  runs(partitions: Claim['partitions']): boolean {
    if (this.#claim === null || this.#fetchers === null || partitions.length !== this.#infos.size)
      return false;
    return partitions.every((at) => this.#infos.get(keyOf(at))?.threadId === at.threadId);
  }

  /**
   * Stops the flow: nothing more is fetched or handed out, what was fetched is thrown away, and what the application
   * has in hand is waited for, at most `rebalance.drain.timeout.ms`. The claim still stands, so positions can be stored.
   */
  async stop(): Promise<void> {
    const streams = [...this.#streams.values()];
    for (const stream of streams) stream.hold();
    await this.#fetchers?.stop();
    this.#fetchers = null;
    for (const stream of streams) stream.hold(); // the last answers may have come in the meantime
    const drained = new AbortController();
    await Promise.race([
      Promise.all(streams.map((stream) => stream.drained())),
      delay(this.#config['rebalance.drain.timeout.ms'], drained.signal),
    ]);
    drained.abort();
    for (const info of this.#infos.values()) info.discardFetched();
  }

  /** Stores the positions of everything that the application has processed. */
  async commitProcessed(): Promise<void> {
    await this.#commit(Array.from(this.#infos.values(), (info) => [info, info.processedOffset]));
  }

  /** Stores the positions of everything that the application was handed. */
  async commitHanded(): Promise<void> {
    await this.#commit(Array.from(this.#infos.values(), (info) => [info, info.handedOffset]));
  }

  /** Stores exactly these positions; of several for one partition, the last. */
  async commitExactly(offsets: readonly NextOffset[]): Promise<void> {
    for (const at of offsets) assertOffset('commitOffsets', at, at.nextOffset);
    await this.#commit(new Map(offsets.map((at) => [this.#owned(at), at.nextOffset])));
  }

  /**
   * The claim is given up: from here on nothing can be committed for it. A commit under way is waited for, so that it
   * cannot undo one of the next owner's. Positions are kept for the next claim.
   */
  async release(): Promise<void> {
    if (this.#claim === null) return;
    this.#claim = null;
    await this.#commits.idle();
    this.#events.emit('partitions:released', { partitions: this.#partitions() });
  }

  /**
   * The claim is lost: nothing is handed out or committed from this moment on. The fetchers are ended in the
   * background; the next stop() waits for them.
   */
  letGo(): void {
    if (this.#claim === null) return;
    this.#claim = null;
    for (const stream of this.#streams.values()) stream.hold();
    void this.#fetchers?.stop();
    this.#events.emit('partitions:lost', { partitions: this.#partitions() });
  }

  /** Messages of these partitions flow to their threads' streams. */
  start(claim: Claim): void {
    this.#infos = new Map(claim.partitions.map((at) => [keyOf(at), this.#infoFor(at, claim)]));
    this.#claim = claim;
    this.#fetchers = new ConsumerFetcherManager(this.#config, this.#events, this.#codecs, claim.cluster, () =>
      this.#storeFirstPositions(),
    );
    this.#fetchers.start(this.#infos.values());
    for (const stream of this.#streams.values()) stream.release(claim.lease);
    for (const info of this.#infos.values()) {
      const { failure: error, queue, epoch } = info;
      if (error !== null) queue.put({ kind: 'failure', info, epoch, error });
    }
  }

  /** Ends all streams. */
  close(): void {
    for (const stream of this.#streams.values()) stream.close();
  }

  ownedPartitions(): OwnedPartition[] {
    if (this.#claim === null) return [];
    return Array.from(
      this.#infos.values(),
      ({ topic, partition, threadId, handedOffset, highWatermark, paused }) => ({
        ...{ topic, partition, threadId, highWatermark, paused },
        nextOffset: handedOffset ?? -1,
      }),
    );
  }

  pause(partitions: Iterable<TopicPartition>): void {
    for (const info of Array.from(partitions, (at) => this.#owned(at))) {
      info.paused = true;
      this.#paused.add(keyOf(info));
    }
    this.#fetchers?.wake(); // what it has in its queue no longer keeps the others from being fetched
  }

  resume(partitions: Iterable<TopicPartition>): void {
    // One that has gone to another member would stay paused for when it comes back.
    for (const at of Array.from(partitions, (one) =>
      this.#paused.has(keyOf(one)) ? one : this.#owned(one),
    )) {
      this.#paused.delete(keyOf(at));
      const info = this.#infos.get(keyOf(at));
      if (info !== undefined) info.paused = false;
    }
    this.#wake();
  }

  /** Goes on at another position; ends the failure of a partition that stands still. */
  async seek(at: TopicPartition, to: number | 'smallest' | 'largest'): Promise<void> {
    const info = this.#owned(at);
    const isNamed = to === 'smallest' || to === 'largest';
    if (!isNamed) assertOffset('seek', at, to);
    const nextOffset = isNamed ? await this.#lookUp(info, to) : to;
    if (this.#owned(at) !== info) throw notOwned(at);
    info.jump(nextOffset);
    this.#wake();
  }

  /**
   * A position that was looked up is stored at once, not with the next interval: after a crash before that, `largest`
   * would be looked up again, and what came in between would be read by nobody.
   */
  #storeFirstPositions(): void {
    if (!this.#config['auto.commit.enable']) return;
    this.commitProcessed().catch((error: unknown) => {
      this.#logger.warn('first positions could not be stored; the next interval tries again', { error });
    });
  }

  #lookUp(info: PartitionTopicInfo, time: 'smallest' | 'largest'): Promise<number> {
    if (this.#fetchers === null) throw notOwned(info);
    return this.#fetchers.lookUpOffset(info, time);
  }

  #commit(positions: Iterable<readonly [PartitionTopicInfo, number | null]>): Promise<void> {
    const store = this.#claim?.store;
    if (store === undefined) return Promise.resolve();
    const wanted = [...positions].flatMap(([info, nextOffset]) =>
      nextOffset === null ? [] : [{ info, nextOffset, jumps: info.jumps }],
    );
    return this.#commits.commit(store, wanted);
  }

  /**
   * A partition that is claimed again goes on where it was, if what is stored is still what this member last wrote or
   * read: nobody else has moved it on. With another thread, or after a failure, it goes on behind what was processed:
   * the old thread may still have something in hand.
   */
  #infoFor(at: Claim['partitions'][number], { offsets }: Claim): PartitionTopicInfo {
    const key = keyOf(at);
    const stored = offsets.get(key) ?? null;
    const before = this.#infos.get(key);
    const queue = this.#streams.get(`${at.topic}/${at.threadId}`)?.queue;
    if (queue === undefined) throw new Error(`no stream for ${at.topic} of ${at.threadId}`);
    const untouched = before?.storedOffset === stored ? before : undefined;
    if (untouched?.threadId === at.threadId && untouched.failure === null) return untouched;
    const fetchSizeBytes = this.#config['fetch.message.max.bytes'];
    const position = ConnectorError.is(stored) ? null : stored;
    const info = new PartitionTopicInfo(at, at.threadId, queue, position, fetchSizeBytes);
    if (ConnectorError.is(stored)) info.failure = stored;
    else if (untouched !== undefined) info.continueFrom(untouched);
    info.paused = this.#paused.has(key);
    return info;
  }

  #owned(at: TopicPartition): PartitionTopicInfo {
    const info = this.#claim === null ? undefined : this.#infos.get(keyOf(at));
    if (info === undefined) throw notOwned(at);
    return info;
  }

  #partitions(): TopicPartition[] {
    return Array.from(this.#infos.values(), ({ topic, partition }) => ({ topic, partition }));
  }

  #wake(): void {
    for (const stream of this.#streams.values()) stream.wake();
    this.#fetchers?.wake();
  }
}

function notOwned({ topic, partition }: TopicPartition): ConnectorError {
  const text = `${topic}/${partition} is not owned by this member at the moment; see ownedPartitions()`;
  return new ConnectorError('NOT_OWNED', text, { topic, partition });
}

function assertOffset(
  call: 'commitOffsets' | 'seek',
  { topic, partition }: TopicPartition,
  nextOffset: number,
): void {
  if (Number.isSafeInteger(nextOffset) && nextOffset >= 0) return;
  const wanted = `a whole number from 0${call === 'seek' ? ', or "smallest" or "largest"' : ''}`;
  const text = `${call}: nextOffset of ${topic}/${partition} must be ${wanted}, not ${shownValue(nextOffset)}`;
  throw new ConnectorError('OFFSET_INVALID', text, { topic, partition });
}
