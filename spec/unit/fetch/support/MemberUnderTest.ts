import { setImmediate as turn } from 'node:timers/promises';

import type { ConnectorConfig } from '../../../../lib/config/ConnectorConfig';
import type { ResolvedConfig } from '../../../../lib/config/configTable';
import { Consumption } from '../../../../lib/Consumption';
import type { Cluster } from '../../../../lib/fetch/cluster';
import { builtInCodecs } from '../../../../lib/kafka/compression/codecs';
import { silentLogger } from '../../../../lib/logger';
import { EventLoopTurn } from '../../../../lib/stream/EventLoopTurn';
import type { Lease } from '../../../../lib/stream/HandOut';
import { MessageStream } from '../../../../lib/stream/MessageStream';
import { waitFor } from '../../../support/waitFor';
import { MemoryOffsetStore } from '../../offsets/support/MemoryOffsetStore';
import { PROVED } from '../../stream/support/parts';
import { configOf, recordedEvents, type Told } from './parts';

export interface MemberOptions {
  readonly settings?: Partial<ConnectorConfig>;
  readonly threads?: number;
  readonly store?: MemoryOffsetStore;
  readonly topic?: string;
}

/** Everything behind the membership, with the membership played by the spec: it claims what it is told to. */
export class MemberUnderTest implements AsyncDisposable {
  readonly consumption: Consumption;
  readonly streams: readonly MessageStream<Buffer, Buffer>[];
  readonly store: MemoryOffsetStore;
  readonly told: Told[];
  readonly topic: string;
  lease: Lease = PROVED;
  readonly #config: ResolvedConfig;
  readonly #cluster: Cluster;

  constructor(cluster: Cluster, { settings, threads = 1, store, topic = 'orders' }: MemberOptions = {}) {
    const { events, told } = recordedEvents();
    this.told = told;
    this.topic = topic;
    this.store = store ?? new MemoryOffsetStore();
    this.#cluster = cluster;
    this.#config = configOf({
      'auto.offset.reset': 'smallest',
      'refresh.leader.backoff.ms': 20,
      'rebalance.drain.timeout.ms': 100,
      ...settings,
    });
    this.consumption = new Consumption(this.#config, events, silentLogger, builtInCodecs);
    const turn = new EventLoopTurn();
    this.streams = Array.from({ length: threads }, (_, thread) => {
      const stream = new MessageStream<Buffer, Buffer>({
        threadId: `g_a-${thread}`,
        topic,
        turn,
        maxChunks: this.#config['queued.max.message.chunks'],
        timeoutMs: -1,
        onFailure: () => undefined,
      });
      this.consumption.addStream(stream);
      return stream;
    });
  }

  get stream(): MessageStream<Buffer, Buffer> {
    return this.streams[0] as MessageStream<Buffer, Buffer>;
  }

  at(partition: number): { topic: string; partition: number } {
    return { topic: this.topic, partition };
  }

  /** Gives up what is claimed, in order, as a rebalance does. */
  async giveUp(): Promise<void> {
    await this.consumption.stop();
    if (this.#config['auto.commit.enable']) await this.consumption.commitProcessed({ retryOnFailure: true });
    await this.consumption.release();
  }

  /** Claims these partitions, by thread. */
  async claim(...byThread: readonly (readonly number[])[]): Promise<void> {
    const partitions = byThread.flatMap((numbers, thread) =>
      numbers.map((partition) => ({ ...this.at(partition), threadId: `g_a-${thread}` })),
    );
    const offsets = await this.store.read(partitions);
    this.consumption.claim({
      ...{ partitions, offsets, store: this.store, cluster: this.#cluster, lease: this.lease },
    });
    this.consumption.start();
  }

  async rebalance(...byThread: readonly (readonly number[])[]): Promise<void> {
    await this.giveUp();
    await this.claim(...byThread);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.consumption.stop();
    this.consumption.close();
  }
}

/** A loop over one stream that goes on in the background and keeps what it sees. */
export class Reader {
  /** "partition@offset" of each message. */
  readonly seen: string[] = [];
  readonly errors: unknown[] = [];
  /** Called with each message before the next one is asked for. */
  onMessage: (message: { partition: number; offset: number }) => void | Promise<void> = () => undefined;
  /** Resolves when the stream is closed. */
  readonly done: Promise<void>;

  constructor(stream: MessageStream<Buffer, Buffer>) {
    this.done = this.#run(stream);
  }

  async until(count: number): Promise<void> {
    await waitFor(() => this.seen.length >= count, {
      timeoutMs: 4000,
      intervalMs: 2,
      description: `${count} messages`,
      details: () => this.seen.join(' '),
    });
  }

  async #run(stream: MessageStream<Buffer, Buffer>): Promise<void> {
    for (let isOver = false; !isOver;) {
      try {
        for await (const { partition, offset } of stream) {
          this.seen.push(`${partition}@${offset}`);
          await this.onMessage({ partition, offset });
        }
        isOver = true;
      } catch (error) {
        this.errors.push(error);
        await turn(); // as an application does that looks at the error
      }
    }
  }
}
