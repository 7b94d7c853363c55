import { CODECS, type Codec } from './releases';

/** One message, one compressed set or one batch, as it lies in an answer to a fetch. */
export interface FetchedSet {
  readonly topic: string;
  /** Of its messages: 0, 1 or 2. */
  readonly format: number;
  readonly codec: Codec;
}

/** Of an entry: behind offset and length; behind magic, which is at the same place in all formats. */
const LENGTH_AT = 8;
const CONTENT_AT = 12;
const MAGIC_AT = 16;
const ATTRIBUTES_AT = 17;
/** Of a batch, whose checksum comes before the attributes; their lower byte is the second. */
const BATCH_ATTRIBUTES_AT = 22;
const CODEC_BITS = 7;

/** What is in the answer to a fetch of version 0 to 11; `frame` begins with the correlation id. */
export function fetchedSets(version: number, frame: Buffer): FetchedSet[] {
  const answer = new Cursor(frame);
  answer.skip(4); // correlation id
  if (version >= 1) answer.skip(4); // throttle time
  if (version >= 7) answer.skip(6); // error and session
  const sets: FetchedSet[] = [];
  for (let topics = answer.int32(); topics > 0; topics -= 1) {
    const topic = answer.take(answer.int16()).toString();
    for (let partitions = answer.int32(); partitions > 0; partitions -= 1) {
      sets.push(...setsIn(topic, recordsOf(version, answer)));
    }
  }
  return sets;
}

/** What a partition's part of the answer has of its log. */
function recordsOf(version: number, answer: Cursor): Buffer {
  answer.skip(14); // partition, error, high watermark
  if (version >= 4) answer.skip(8); // last stable offset
  if (version >= 5) answer.skip(8); // start of the log
  if (version >= 4) answer.skip(16 * Math.max(0, answer.int32())); // aborted transactions, or -1
  if (version >= 11) answer.skip(4); // replica to read from
  return answer.take(Math.max(0, answer.int32()));
}

/** An entry that is cut off at the end is left out. */
function setsIn(topic: string, records: Buffer): FetchedSet[] {
  const sets: FetchedSet[] = [];
  for (let at = 0; at + CONTENT_AT <= records.length;) {
    const end = at + CONTENT_AT + records.readInt32BE(at + LENGTH_AT);
    if (end > records.length || end <= at + BATCH_ATTRIBUTES_AT) break;
    const format = records.readInt8(at + MAGIC_AT);
    const attributes = records.readInt8(at + (format >= 2 ? BATCH_ATTRIBUTES_AT : ATTRIBUTES_AT));
    const codec = CODECS[attributes & CODEC_BITS];
    if (codec === undefined) throw new Error(`a codec of number ${attributes & CODEC_BITS} in ${topic}`);
    sets.push({ topic, format, codec });
    at = end;
  }
  return sets;
}

/** Walks through bytes; a walk past their end throws. */
class Cursor {
  readonly #bytes: Buffer;
  /** Where the next value begins. */
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(sizeBytes: number): void {
    this.take(sizeBytes);
  }

  int16(): number {
    return this.take(2).readInt16BE();
  }

  int32(): number {
    return this.take(4).readInt32BE();
  }

  take(sizeBytes: number): Buffer {
    const end = this.#at + sizeBytes;
    if (end > this.#bytes.length) throw new Error(`an answer of ${this.#bytes.length} bytes is cut off`);
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
