import { entry } from '../../unit/kafka/support/encodeMessageSet';
import type { Chance } from '../mutating/mutation';
import { compress, LZ4 } from './compress';
import { controlBatch, encodeBatch, type SpecBatch, type SpecHeader, type SpecRecord } from './encodeBatch';
import type { AbortedTransaction } from './fetchAnswer';
import { lz4Frame } from './writeLz4';

const WORDS = [
  'order',
  'paid',
  'order',
  'sent',
  'customer',
  'customer-77',
  'ordered again',
  'aaaaaaaaaaaaaaaa',
  'é',
];
const APPEND_TIME = 8;
const FIRST_TIME = 1_480_000_000_000;

/** Writes a partition's log, entry by entry, with offsets that grow and have holes. */
export class SampleLog {
  readonly #chance: Chance;
  readonly #entries: Buffer[] = [];
  readonly #aborted: AbortedTransaction[] = [];
  /** Offset of the next message. */
  #offset: number;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#offset = chance.of([0, 1, chance.below(200), 2 ** 31 - 3, 2 ** 40]);
  }

  get records(): Buffer {
    return Buffer.concat(this.#entries);
  }

  get aborted(): readonly AbortedTransaction[] {
    return this.#aborted;
  }

  get nextOffset(): number {
    return this.#offset;
  }

  /** Plain messages of format 0 or 1. */
  messages(magic: 0 | 1): void {
    for (let left = this.#few(); left > 0; left -= 1) {
      this.#entries.push(this.#entry(magic, this.#take()));
    }
  }

  /** A compressed set of format 0 or 1, maybe compressed again. */
  wrapped(magic: 0 | 1, codec: number, style: number, timesMore = 0, innerMagic: 0 | 1 = magic): void {
    const offsets = Array.from({ length: this.#few() }, () => this.#take());
    const last = offsets.at(-1) ?? 0;
    // Format 1 counts inside from 0, unless compaction has taken the first ones away.
    const base = magic === 0 ? 0 : Math.max(0, (offsets[0] ?? 0) - this.#chance.below(2));
    const inside = Buffer.concat(offsets.map((offset) => this.#entry(innerMagic, offset - base)));
    let set = this.#wrapper(magic, codec, style, base === 0 ? last : last - base, inside);
    for (let left = timesMore; left > 0; left -= 1)
      set = this.#wrapper(magic, codec, style + left, last, set);
    set.writeBigInt64BE(BigInt(last));
    this.#entries.push(set);
  }

  batch(codec: number, style: number, more: Partial<SpecBatch> = {}): void {
    const baseOffset = this.#offset;
    const records = Array.from({ length: this.#few() }, () => this.#record(this.#take() - baseOffset));
    const lastOffsetDelta = this.#offset - 1 - baseOffset + this.#chance.of([0, 0, 0, 2]);
    this.#offset = baseOffset + lastOffsetDelta + 1;
    this.#entries.push(
      encodeBatch({
        ...{ baseOffset, records, codec, style, lastOffsetDelta },
        baseTimestamp: FIRST_TIME + this.#chance.below(1e9),
        maxTimestamp: FIRST_TIME + 2e9,
        isAppendTime: this.#chance.isTrue(0.2),
        ...more,
      }),
    );
  }

  /** A batch whose records compaction has taken away. */
  emptied(): void {
    this.#entries.push(encodeBatch({ baseOffset: this.#offset, records: [], lastOffsetDelta: 2 }));
    this.#offset += 3;
  }

  /** Transactions of two producers at a time, with batches of nobody between, each with its marker. */
  transactions(codec: number): void {
    const producers = [7, 8].map((producerId) => ({
      producerId,
      end: this.#chance.of(['abort', 'commit'] as const),
      firstOffset: -1,
    }));
    for (let left = 4; left > 0; left -= 1) {
      if (this.#chance.isTrue(0.25)) {
        this.batch(codec, left);
        continue;
      }
      const one = this.#chance.of(producers);
      if (one.firstOffset === -1) one.firstOffset = this.#offset;
      this.batch(codec, left, { producerId: one.producerId, isTransactional: true });
    }
    for (const { producerId, end, firstOffset } of producers) {
      if (end === 'abort' && firstOffset !== -1) {
        this.#aborted.push({ producerId: BigInt(producerId), firstOffset: BigInt(firstOffset) });
      }
      this.#entries.push(controlBatch(this.#take(), producerId, end));
    }
  }

  /** The last entry once more, as brokers do that convert. */
  again(): void {
    const last = this.#entries.at(-1);
    if (last !== undefined) this.#entries.push(last);
  }

  /** The beginning of one more entry, cut off by the size of the fetch. */
  cutOff(): void {
    const more = encodeBatch({ baseOffset: this.#offset, records: [this.#record(0)] });
    this.#entries.push(more.subarray(0, this.#chance.between(1, more.length)));
  }

  #few(): number {
    return 1 + this.#chance.below(4);
  }

  #take(): number {
    const offset = this.#offset + this.#chance.of([0, 0, 0, 0, 0, 1, 4]);
    this.#offset = offset + 1;
    return offset;
  }

  #bytes(): Buffer | null {
    const count = this.#chance.below(7);
    if (count === 0) return null;
    if (count === 1) return Buffer.alloc(0);
    return Buffer.from(Array.from({ length: count - 1 }, () => this.#chance.of(WORDS)).join(' '));
  }

  #time(): number {
    return this.#chance.isTrue(0.1) ? -1 : FIRST_TIME + this.#chance.below(1e9);
  }

  #entry(magic: 0 | 1, offset: number): Buffer {
    const attributes = magic === 1 && this.#chance.isTrue(0.2) ? APPEND_TIME : 0;
    return entry({
      offset,
      magic,
      key: this.#bytes(),
      value: this.#bytes(),
      timestamp: this.#time(),
      attributes,
    });
  }

  #wrapper(magic: 0 | 1, codec: number, style: number, offset: number, inside: Buffer): Buffer {
    const attributes = codec | (magic === 1 && this.#chance.isTrue(0.2) ? APPEND_TIME : 0);
    // Old Kafka has another checksum in the header of lz4 frames.
    const isOld = magic === 0 && codec === LZ4 && style % 2 === 1;
    const value = isOld ? lz4Frame(inside, { oldHeaderChecksum: true }) : compress(codec, inside, style);
    return entry({
      offset,
      magic,
      value,
      timestamp: this.#time(),
      attributes,
    });
  }

  #record(offsetDelta: number): SpecRecord {
    const headers = Array.from({ length: this.#chance.of([0, 0, 0, 1, 3]) }, (): SpecHeader => {
      return { key: this.#chance.of(['', 'trace', 'é']), value: this.#bytes() };
    });
    const timestampDelta = this.#chance.between(-70, 100_000);
    return { offsetDelta, timestampDelta, key: this.#bytes(), value: this.#bytes(), headers };
  }
}
