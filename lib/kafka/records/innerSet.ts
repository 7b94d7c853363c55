import { ENTRY_HEADER_BYTES, LEAST_MESSAGE_BYTES, MAX_OFFSET, readInt64, SIZE_AT } from './messageFormat';

/** Thrown for a compressed set whose inside makes no sense; the cursor adds where it is. */
export class InnerSetError extends Error {
  override readonly name = 'InnerSetError';
}

/**
 * What to add to the offsets inside a compressed set.
 *
 * Format 1 counts inside from 0 and the wrapper has the offset of the last one, compacted sets with gaps included: the base
 * is the difference. Messages of format 0 have their true offsets, also inside a format 1 wrapper if an old log cleaner left
 * them so; then the last one equals the wrapper's and the difference is 0. Some old producers send 0 as the wrapper's offset:
 * there the inner ones stand as they are.
 *
 * The whole set is walked before its first message is handed out, since the last offset is needed. Unlike a fetched set it
 * has no reason to be cut off: its wrapper's checksum was right, so a cut or disorder inside was there when it was sent.
 */
export function innerOffsetBase(view: DataView, wrapperMagic: number, wrapperOffset: number): number {
  const last = lastOffsetInside(view);
  if (wrapperOffset === 0) return 0;
  if (last > wrapperOffset) {
    throw new InnerSetError(`its last offset ${last} is above the offset of its wrapper`);
  }
  return wrapperMagic === 0 ? 0 : wrapperOffset - last;
}

function lastOffsetInside(view: DataView): number {
  const length = view.byteLength;
  let lastOffset = -1;
  let at = 0;
  while (at < length) {
    const leftBytes = length - at - ENTRY_HEADER_BYTES;
    const sizeBytes = leftBytes >= 0 ? view.getInt32(at + SIZE_AT) : 0;
    if (sizeBytes < LEAST_MESSAGE_BYTES || sizeBytes > leftBytes) {
      throw new InnerSetError(`it ends or breaks at byte ${at} of ${length} inside`);
    }
    const offset = readInt64(view, at);
    if (offset <= lastOffset || offset > MAX_OFFSET) {
      throw new InnerSetError(`offset ${offset} follows ${lastOffset} inside`);
    }
    lastOffset = offset;
    at += ENTRY_HEADER_BYTES + sizeBytes;
  }
  if (lastOffset === -1) throw new InnerSetError('it holds no message');
  return lastOffset;
}
