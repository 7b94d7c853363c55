import type { ResolvedConfig } from './config/configTable';
import { delay } from './delay';
import { ConnectorError } from './errors';
import type { Events } from './events';
import { ConsumerFetcherManager } from './fetch/ConsumerFetcherManager';
import type { Cluster } from './fetch/cluster';
import { claimedPartition } from './fetch/claimedPartition';
import { keyOf, type PartitionTopicInfo } from './fetch/PartitionTopicInfo';
import type { Codecs } from './kafka/compression/codecs';
import type { Logger } from './logger';
import { OffsetCommits } from './offsets/OffsetCommits';
import type { OffsetStore, WriteOptions } from './offsets/OffsetStore';
import { assertOffset } from './partitionArguments';
import type { Lease } from './stream/HandOut';
import type { MessageStream } from './stream/MessageStream';
import type { NextOffset, OwnedPartition, TopicPartition } from './types';

/** A stream from the connector's side, whatever its messages are decoded to. */
type Stream = Pick<
  MessageStream<unknown, unknown>,
  'threadId' | 'topic' | 'queue' | 'hold' | 'drained' | 'release' | 'wake' | 'close'
>;

/** Stands for the topic of a stream that has none of its own; no topic has this name. */
const ALL_TOPICS = '*';

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
 * Everything behind a membership: it is told "these partitions, now" (claim, start) and "give them up" (stop, commit,
 * release; or letGo), and keeps fetchers, streams and positions in step with that.
 *
 * States: claimed, from claim to release or letGo; outside of it nothing is owned and nothing is committed. Within
 * claimed, messages flow from start to stop.
 */
export class Consumption {
  readonly #config: ResolvedConfig;
  readonly #events: Events;
  readonly #logger: Logger;
  /** How compressed messages are inflated. */
  readonly #codecs: Codecs;
  /** All streams, by topic (or {@link ALL_TOPICS}) and thread id. */
  readonly #streams = new Map<string, Stream>();
  /** The partitions of the last claim by key; they keep their positions while they are claimed again. */
  #infos = new Map<string, PartitionTopicInfo>();
  /** The claim that stands; null between two claims. */
  #claim: Claim | null = null;
  /** Those of the claim, until stop; they run from start on. */
  #fetchers: ConsumerFetcherManager | null = null;
  /** Whether the fetchers of the claim run. */
  #flows = false;
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

  /** Adds the stream of one thread for its topic, or for all that it is assigned. */
  addStream(stream: Stream): void {
    this.#streams.set(`${stream.topic ?? ALL_TOPICS}/${stream.threadId}`, stream);
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
    return this.#claim !== null && this.#flows;
  }

  /** Whether exactly these partitions are claimed and messages flow. */
  runs(partitions: Claim['partitions']): boolean {
    if (!this.flows || partitions.length !== this.#infos.size) return false;
    return partitions.every((at) => this.#infos.get(keyOf(at))?.threadId === at.threadId);
  }

  /**
   * Stops the flow: nothing more is fetched or handed out, what was fetched is thrown away, and what the application
   * has in hand is waited for, at most `rebalance.drain.timeout.ms`. The claim still stands, so positions can be stored.
   */
  async stop(): Promise<void> {
    const streams = [...this.#streams.values()];
    for (const stream of streams) stream.hold();
    this.#flows = false;
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
  async commitProcessed(options: WriteOptions): Promise<void> {
    await this.#commit(
      Array.from(this.#infos.values(), (info) => [info, info.processedOffset]),
      options,
    );
  }

  /** Stores the positions of everything that the application was handed. */
  async commitHanded(): Promise<void> {
    await this.#commit(
      Array.from(this.#infos.values(), (info) => [info, info.handedOffset]),
      { retryOnFailure: true },
    );
  }

  /** Stores exactly these positions; of several for one partition, the last. */
  async commitExactly(offsets: readonly NextOffset[]): Promise<void> {
    for (const at of offsets) assertOffset('commitOffsets', at, at.nextOffset);
    const positions = new Map(offsets.map((at) => [this.#owned(at), at.nextOffset]));
    await this.#commit(positions, { retryOnFailure: true });
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

  /** These partitions are this member's: their positions can be moved and stored. Nothing is fetched yet. */
  claim(claim: Claim): void {
    this.#infos = new Map(claim.partitions.map((at) => [keyOf(at), this.#infoFor(at, claim)]));
    this.#claim = claim;
    this.#fetchers = new ConsumerFetcherManager(this.#config, this.#events, this.#codecs, claim.cluster, () =>
      this.#storeFirstPositions(),
    );
  }

  /** Messages of the claimed partitions flow to their threads' streams. */
  start(): void {
    const claim = this.#claim;
    if (claim === null || this.#fetchers === null) {
      throw new ConnectorError('SESSION_LOST', 'the session was lost before the fetchers were started');
    }
    this.#flows = true;
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
    this.commitProcessed({ retryOnFailure: false }).catch((error: unknown) => {
      this.#logger.warn('first positions could not be stored; the next interval tries again', { error });
    });
  }

  #lookUp(info: PartitionTopicInfo, time: 'smallest' | 'largest'): Promise<number> {
    if (this.#fetchers === null) throw notOwned(info);
    return this.#fetchers.lookUpOffset(info, time);
  }

  #commit(
    positions: Iterable<readonly [PartitionTopicInfo, number | null]>,
    options: WriteOptions,
  ): Promise<void> {
    const store = this.#claim?.store;
    if (store === undefined) return Promise.resolve();
    const wanted = [...positions].flatMap(([info, nextOffset]) =>
      nextOffset === null ? [] : [{ info, nextOffset, jumps: info.jumps }],
    );
    return this.#commits.commit(store, wanted, options);
  }

  #infoFor(at: Claim['partitions'][number], { offsets }: Claim): PartitionTopicInfo {
    const key = keyOf(at);
    const streams = [at.topic, ALL_TOPICS].map((topic) => this.#streams.get(`${topic}/${at.threadId}`));
    const queue = streams.find((stream) => stream !== undefined)?.queue;
    if (queue === undefined) throw new Error(`no stream for ${at.topic} of ${at.threadId}`);
    const info = claimedPartition(at, queue, {
      stored: offsets.get(key) ?? null,
      before: this.#infos.get(key),
      fetchSizeBytes: this.#config['fetch.message.max.bytes'],
    });
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
