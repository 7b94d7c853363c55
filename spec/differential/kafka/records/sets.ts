import { compress, LZ4 } from '../../../support/records/compress';
import {
  encodeBatch,
  finishBatch,
  type SpecBatch,
  type SpecHeader,
} from '../../../support/records/encodeBatch';
import { lz4Frame } from '../../../support/records/writeLz4';
import { entry } from '../../../unit/kafka/support/encodeMessageSet';

export type Format = 0 | 1 | 2;

export interface SentMessage {
  readonly key?: string | null;
  readonly value?: string | null;
  /** Milliseconds behind FIRST_TIME. */
  readonly later?: number;
  readonly headers?: readonly SpecHeader[];
}

export interface SetOptions {
  readonly codec?: number;
  /** Of a producer that numbers its messages. */
  readonly producer?: { readonly id: number | bigint; readonly epoch: number; readonly sequence: number };
}

/** Years ago, so that it is not taken for a time of the broker's. */
export const FIRST_TIME = 1_600_000_000_000;

const PRODUCER_EPOCH_AT = 51;
const SEQUENCE_AT = 53;
/** The framing of the JVM's library. */
const XERIAL = 1;

/** A record set as producers of that format write it: one batch, one compressed message, or messages one by one. */
export function recordSet(
  format: Format,
  messages: readonly SentMessage[],
  options: SetOptions = {},
): Buffer {
  return format === 2 ? batch(messages, options) : messageSet(format, messages, options.codec ?? 0);
}

export function bytesOf(text: string | null | undefined): Buffer | null {
  return text === null || text === undefined ? null : Buffer.from(text);
}

function messageSet(magic: 0 | 1, messages: readonly SentMessage[], codec: number): Buffer {
  const plain = messages.map(({ key, value, later = 0 }, offset) => {
    return entry({ offset, magic, key: bytesOf(key), value: bytesOf(value), timestamp: FIRST_TIME + later });
  });
  if (codec === 0) return Buffer.concat(plain);
  const inside = Buffer.concat(plain);
  // Old Kafka has another checksum in the header of lz4 frames.
  const isOldFrame = codec === LZ4 && magic === 0;
  const value = isOldFrame ? lz4Frame(inside, { oldHeaderChecksum: true }) : compress(codec, inside, XERIAL);
  const timestamp = FIRST_TIME + Math.max(...messages.map(({ later = 0 }) => later));
  return entry({ offset: messages.length - 1, magic, value, timestamp, attributes: codec });
}

function batch(messages: readonly SentMessage[], { codec = 0, producer }: SetOptions): Buffer {
  const parts: SpecBatch = {
    baseOffset: 0,
    codec,
    style: XERIAL,
    baseTimestamp: FIRST_TIME + (messages[0]?.later ?? 0),
    maxTimestamp: FIRST_TIME + Math.max(...messages.map(({ later = 0 }) => later)),
    ...(producer === undefined ? {} : { producerId: producer.id }),
    records: messages.map(({ key, value, later = 0, headers = [] }, offsetDelta) => ({
      ...{ offsetDelta, key: bytesOf(key), value: bytesOf(value), headers },
      timestampDelta: later - (messages[0]?.later ?? 0),
    })),
  };
  const bytes = encodeBatch(parts);
  if (producer === undefined) return bytes;
  bytes.writeInt16BE(producer.epoch, PRODUCER_EPOCH_AT);
  bytes.writeInt32BE(producer.sequence, SEQUENCE_AT);
  return finishBatch(bytes);
}

/** So many messages, with keys, values and times that differ. */
export function someMessages(count: number, from = 0): SentMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    key: (from + index) % 3 === 2 ? null : `key-${from + index}`,
    value: (from + index) % 5 === 4 ? null : `value ${from + index}, `.repeat(1 + ((from + index) % 4)),
    later: 1000 * (from + index),
  }));
}
