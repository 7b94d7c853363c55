import { compressed } from './compression/codecs';
import { NO_TIMESTAMP } from './entryLayout';
import type { LoggedMessage } from './LoggedMessage';
import { finishBatch, NO_PRODUCER, type ProducerOfBatch } from './recordBatch';
import { RecordWriter } from './RecordWriter';
import type { EntryTraits } from './writeEntries';

/** One batch with all messages, of which there is one at least. The first one's offset is that of the batch. */
export function writeRecordBatch(
  messages: readonly LoggedMessage[],
  { codec, appendTimeMs, leaderEpoch }: EntryTraits,
  { producerId, producerEpoch, baseSequence }: ProducerOfBatch = NO_PRODUCER,
): Buffer {
  const baseOffset = messages[0]?.offset ?? 0;
  const baseTimestampMs = messages[0]?.timestampMs ?? NO_TIMESTAMP;
  const records = new RecordWriter();
  const record = new RecordWriter();
  let maxTimestampMs = NO_TIMESTAMP;
  for (const { offset, timestampMs, key, value, headers } of messages) {
    maxTimestampMs = Math.max(maxTimestampMs, timestampMs);
    record.clear();
    record.byte(0);
    record.varint(timestampMs - baseTimestampMs);
    record.varint(offset - baseOffset);
    record.sized(key);
    record.sized(value);
    record.varint(headers.length);
    for (const header of headers) {
      record.sized(Buffer.from(header.key, 'utf8'));
      record.sized(header.value);
    }
    records.sized(record.written);
  }
  return finishBatch(
    {
      ...{ baseOffset, lastOffset: messages.at(-1)?.offset ?? baseOffset, leaderEpoch, codec },
      ...{
        baseTimestampMs,
        maxTimestampMs: appendTimeMs ?? maxTimestampMs,
        isAppendTime: appendTimeMs !== null,
      },
      ...{ producerId, producerEpoch, baseSequence, count: messages.length },
    },
    compressed(codec, 2, records.written),
  );
}
