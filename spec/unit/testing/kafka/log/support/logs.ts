import type { Generation } from '../../../../../../lib/testing/kafka/Generation';
import {
  type LogOptions,
  type MessageFormat,
  PartitionLog,
} from '../../../../../../lib/testing/kafka/log/PartitionLog';
import { encodeBatch, finishBatch, type SpecBatch } from '../../../../../support/records/encodeBatch';
import { entry, type SpecMessage } from '../../../../kafka/support/encodeMessageSet';

/** The format in which each generation stores by default. */
export const STORED_FORMAT: Readonly<Record<Generation, MessageFormat>> = {
  '0.8': 0,
  '0.9': 0,
  '0.10.2': 1,
  '1.1': 2,
  '3.9': 2,
};
export const NOW_MS = 1_700_000_000_000;
/** Limits under which everything comes. */
export const ALL = { maxBytes: 10_000_000, isFirstWhole: true };

export function newLog(generation: Generation, options: Partial<LogOptions> = {}): PartitionLog {
  const format = STORED_FORMAT[generation];
  return new PartitionLog({
    ...{ generation, format, timestampType: 'CreateTime', maxMessageBytes: 4000 },
    ...options,
  });
}

/** Plain messages of format 0 or 1, whose values are texts. */
export function messages(magic: 0 | 1, values: readonly string[], more: Partial<SpecMessage> = {}): Buffer {
  return Buffer.concat(
    values.map((value, offset) =>
      entry({ magic, offset, value: Buffer.from(value), timestamp: NOW_MS + offset, ...more }),
    ),
  );
}

/** A batch as a producer sends it, whose values are texts. */
export function batch(values: readonly string[], more: Partial<SpecBatch> = {}): Buffer {
  return encodeBatch({
    baseOffset: 0,
    baseTimestamp: NOW_MS,
    maxTimestamp: NOW_MS + values.length - 1,
    records: values.map((value, offsetDelta) => ({
      ...{ offsetDelta, timestampDelta: offsetDelta, value: Buffer.from(value) },
    })),
    ...more,
  });
}

/** A batch with one message of an idempotent producer. */
export function sequenced(epoch: number, baseSequence: number, count = 1): Buffer {
  const bytes = batch(new Array<string>(count).fill('x'), { producerId: 7 });
  bytes.writeInt16BE(epoch, 51);
  bytes.writeInt32BE(baseSequence, 53);
  return finishBatch(bytes);
}
