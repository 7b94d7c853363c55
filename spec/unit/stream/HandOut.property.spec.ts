import fc from 'fast-check';

import { ConnectorError } from '../../../lib/errors';
import type { PartitionTopicInfo } from '../../../lib/fetch/PartitionTopicInfo';
import { BlockingQueue } from '../../../lib/stream/BlockingQueue';
import { HandOut } from '../../../lib/stream/HandOut';
import { messageSet } from '../kafka/support/encodeMessageSet';
import { chunkOf, infoOf, PROVED } from './support/parts';

const PARTITIONS = 3;
const LAST = 40;
/** Some offsets have no message, and some messages cannot be decoded. */
const OFFSETS = Array.from({ length: LAST }, (_, offset) => offset).filter((offset) => offset % 7 !== 3);
const isBad = (offset: number): boolean => offset % 11 === 8;

const partition = fc.nat(PARTITIONS - 1);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('fetch' as const), count: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('answer' as const) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('message' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('batch' as const), most: fc.integer({ min: 1, max: 5 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pause' as const), partition }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resume' as const), partition }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('seek' as const), partition, to: fc.nat(LAST) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebalance' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A fetch that was sent and not yet answered. */
interface Asked {
  readonly info: PartitionTopicInfo;
  readonly epoch: number;
  readonly from: number;
}

/** One stream with a fetcher of its own, and beside it what the application must see. */
class Model {
  readonly queue = new BlockingQueue(2);
  readonly infos = Array.from({ length: PARTITIONS }, (_, index) => infoOf(this.queue, { partition: index }));
  readonly handOut: HandOut<Buffer, Buffer>;
  asked: Asked[] = [];
  count = 0;
  /** The position behind what was handed out, as the application would count it. */
  readonly positions = this.infos.map(() => 0);
  /** The same without what is in hand. */
  readonly processed = this.infos.map(() => 0);
  inHand: number | null = null;

  constructor() {
    const valueDecoder = (bytes: Buffer): Buffer => {
      if (isBad(Number(bytes.toString()))) throw new Error('bad');
      return bytes;
    };
    this.handOut = new HandOut(this.queue, { valueDecoder }, () => undefined);
    this.handOut.release(PROVED);
  }

  do(one: Step): void {
    switch (one.kind) {
      case 'fetch':
        if (this.asked.length > 0) return;
        this.count = one.count;
        for (const info of this.infos) {
          if (info.paused || info.failure !== null || !this.queue.accepts(info)) continue;
          this.asked.push({ info, epoch: info.epoch, from: info.fetchOffset ?? 0 });
        }
        return;
      case 'answer':
        this.#answer();
        return;
      case 'message':
      case 'batch':
        this.#ask(one.kind === 'batch' ? one.most : null);
        return;
      case 'pause':
      case 'resume':
        (this.infos[one.partition] as PartitionTopicInfo).paused = one.kind === 'pause';
        return;
      case 'seek':
        this.infos[one.partition]?.jump(one.to);
        this.positions[one.partition] = this.processed[one.partition] = one.to;
        if (this.inHand === one.partition) this.inHand = null;
        return;
      case 'rebalance':
        this.asked = [];
        this.handOut.hold();
        for (const info of this.infos) info.discardFetched();
        this.handOut.release(PROVED);
    }
  }

  /** Runs until nothing comes any more, whatever the partition; messages that cannot be decoded are passed. */
  finish(): void {
    for (const info of this.infos) info.paused = false;
    for (let idle = 0; idle < 3;) {
      this.do({ kind: 'fetch', count: 6 });
      this.do({ kind: 'answer' });
      idle = this.#ask(null) ? 0 : idle + 1;
      for (const { failure, partition: failed } of this.infos) {
        if (failure === null) continue;
        this.do({ kind: 'seek', partition: failed, to: failure.context.nextOffset ?? -1 });
        idle = 0;
      }
    }
  }

  #answer(): void {
    for (const { info, epoch, from } of this.asked) {
      if (epoch !== info.epoch) continue;
      const offsets = OFFSETS.filter((offset) => offset >= from).slice(0, this.count);
      if (offsets.length === 0) continue;
      const records = messageSet(offsets.map((offset) => ({ offset, value: Buffer.from(String(offset)) })));
      this.queue.put(chunkOf(info, records, (offsets.at(-1) ?? 0) + 1));
    }
    this.asked = [];
  }

  /** Asks for the next message or batch; true if there was anything. */
  #ask(most: number | null): boolean {
    if (this.inHand !== null) this.processed[this.inHand] = this.positions[this.inHand] ?? -1;
    this.inHand = null;
    this.handOut.asked();
    try {
      const batch = most === null ? undefined : this.handOut.takeBatch(0, most);
      const single = most === null ? this.handOut.takeMessage(0) : undefined;
      const messages = batch?.messages ?? (single === undefined ? [] : [single]);
      for (const message of messages) this.#saw(message.partition, message.offset);
      if (batch !== undefined) expect(batch.nextOffset).toBe(this.positions[batch.partition]);
      return messages.length > 0;
    } catch (error) {
      if (!ConnectorError.is(error)) throw error;
      const { partition: failed = -1, offset = -1 } = error.context;
      expect([error.code, offset]).toEqual(['DECODE_FAILED', this.#next(failed)]);
      expect(isBad(offset)).toBe(true);
      return true;
    }
  }

  #saw(from: number, offset: number): void {
    expect([from, offset, this.infos[from]?.paused]).toEqual([from, this.#next(from), false]);
    this.positions[from] = offset + 1;
    this.inHand = from;
  }

  /** The message that is due. */
  #next(of: number): number | undefined {
    return OFFSETS.find((offset) => offset >= (this.positions[of] ?? -1));
  }
}

/** Two positions are the same if no message lies between them. */
function same(a: number | null, b: number | undefined): boolean {
  const next = (position: number): number => OFFSETS.find((offset) => offset >= position) ?? LAST;
  return next(a ?? -1) === next(b ?? -1);
}

describe('HandOut, whatever happens', () => {
  it('hands each message out once and in order, from each position on, and counts only what was asked past', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const model = new Model();
        for (const one of steps) {
          model.do(one);
          for (const [index, info] of model.infos.entries()) {
            expect([index, same(info.handedOffset, model.positions[index])]).toEqual([index, true]);
            expect([index, same(info.processedOffset, model.processed[index])]).toEqual([index, true]);
          }
          expect(model.queue.size).toBeLessThanOrEqual(2 + 2 * PARTITIONS);
        }
        model.finish();
        for (const [index, info] of model.infos.entries())
          expect([index, same(info.processedOffset, LAST)]).toEqual([index, true]);
      }),
      { numRuns: 150 },
    );
  });
});
