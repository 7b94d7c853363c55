import { AppendRefusal } from './AppendRefusal';
import { inflated, NO_CODEC } from './compression/codecs';
import { hasRightMessageCrc, type MessageInEntry, readMessage } from './messageEntry';
import { splitEntries } from './splitEntries';

/**
 * The messages in a compressed set of format 0 or 1, with their own offsets in the log and the timestamps that count. Throws
 * AppendRefusal for a set that brokers since 0.10 do not take.
 */
export function innerMessages(wrapper: MessageInEntry): MessageInEntry[] {
  const entries = compressedEntries(wrapper);
  if (entries.length === 0) throw new AppendRefusal('INVALID_RECORD', 'a compressed set without messages');
  const messages = entries.map((entry) => {
    const message = readMessage(entry);
    if (message.format !== wrapper.format) {
      throw new AppendRefusal('INVALID_RECORD', `format ${message.format} inside format ${wrapper.format}`);
    }
    if (message.codec !== NO_CODEC) throw new AppendRefusal('INVALID_RECORD', 'a compressed set in another');
    if (!hasRightMessageCrc(entry)) throw new AppendRefusal('CORRUPT_MESSAGE', 'a wrong checksum inside');
    return message;
  });
  if (wrapper.format === 0) return messages;
  const base = baseOffset(wrapper.offset, messages.at(-1)?.offset ?? 0);
  const { isAppendTime } = wrapper;
  return messages.map((message) => ({
    ...message,
    offset: base + message.offset,
    timestampMs: isAppendTime ? wrapper.timestampMs : message.timestampMs,
    isAppendTime,
  }));
}

/** The entries in a compressed set, as they stand. */
export function compressedEntries({ codec, format, value }: MessageInEntry): Buffer[] {
  if (value === null) throw new AppendRefusal('INVALID_RECORD', 'a compressed set without a value');
  return splitEntries(inflated(codec, format, value));
}

/** Format 1 counts inside from 0, and the wrapper has the offset of the last. Some producers give wrappers no offset. */
function baseOffset(wrapperOffset: number, lastInside: number): number {
  if (wrapperOffset === 0) return 0;
  if (wrapperOffset < lastInside)
    throw new AppendRefusal('INVALID_RECORD', 'a wrapper with too small an offset');
  return wrapperOffset - lastInside;
}
