import type { Generation } from '../Generation';
import { AppendRefusal } from './AppendRefusal';
import { checkSize, codecOf, codecOfEntry } from './checkEntries';
import { compressed, LZ4, NO_CODEC } from './compression/codecs';
import { hasOldHeader } from './compression/lz4';
import { NO_TIMESTAMP, writeInt64 } from './entryLayout';
import { compressedEntries } from './innerMessages';
import { readMessage, writeMessage } from './messageEntry';

/** Sets in sets are opened so many times at most; each time is paid for with a stack frame. */
const MOST_NESTED = 8;

export interface OldAcceptance {
  readonly generation: Generation;
  readonly maxMessageBytes: number;
  /** Of the first message that comes. */
  readonly nextOffset: number;
}

/**
 * What brokers before 0.10 store of a produced set: plain messages as they come, with offsets. If one of them is compressed, all go
 * into one new compressed set, since the offsets stand inside. Nobody looks at what the messages are.
 */
export function acceptOldSet(entries: readonly Buffer[], acceptance: OldAcceptance): Buffer[] {
  const { generation, maxMessageBytes, nextOffset } = acceptance;
  const codec = codecOf(entries);
  if (codec === NO_CODEC) return numbered(entries, nextOffset);
  const opened = entries.flatMap((entry) => openedEntries(entry, generation, 0));
  if (opened.length === 0) return [];
  const wrapper = writeMessage(0, {
    ...{ offset: nextOffset + opened.length - 1, codec, isAppendTime: false, timestampMs: NO_TIMESTAMP },
    ...{ key: null, value: compressed(codec, 0, Buffer.concat(numbered(opened, nextOffset))) },
  });
  checkSize(wrapper, maxMessageBytes);
  return [wrapper];
}

function numbered(entries: readonly Buffer[], firstOffset: number): Buffer[] {
  return entries.map((entry, index) => {
    const copy = Buffer.from(entry);
    writeInt64(copy, firstOffset + index, 0);
    return copy;
  });
}

/** Kafka 0.8 opens sets in sets, 0.9 leaves them as messages. */
function openedEntries(entry: Buffer, generation: Generation, depth: number): Buffer[] {
  if (codecOfEntry(entry) === NO_CODEC || (generation === '0.9' && depth > 0)) return [entry];
  if (depth === MOST_NESTED) throw new AppendRefusal('CORRUPT_MESSAGE', 'too many sets in sets');
  const set = readMessage(entry);
  if (set.format !== 0 || set.value === null || (set.codec === LZ4 && !hasOldHeader(set.value))) {
    throw new AppendRefusal('UNKNOWN_SERVER_ERROR', 'a compressed set that cannot be opened');
  }
  return compressedEntries(set).flatMap((inner) => openedEntries(inner, generation, depth + 1));
}
