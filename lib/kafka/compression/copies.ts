/* Callers have compared the positions with the ends. */
/* eslint-disable @typescript-eslint/no-non-null-assertion */

/** Short copies are made in whole words, which may write this much beyond their end, but not beyond the buffer. */
const WORDS_BYTES = 16;
/** From here on a native call is faster than a loop. */
const LONG_BYTES = 64;
const ROOM_FOR_WORDS = LONG_BYTES + WORDS_BYTES;

/** Copies `length` bytes from `source[at..)` to `target[out..)`; the views show the same bytes. */
export function copyLiterals(
  source: Buffer,
  sourceView: DataView,
  at: number,
  length: number,
  target: Buffer,
  targetView: DataView,
  out: number,
): void {
  if (length <= WORDS_BYTES && at <= source.length - WORDS_BYTES && out <= target.length - WORDS_BYTES) {
    targetView.setInt32(out, sourceView.getInt32(at));
    targetView.setInt32(out + 4, sourceView.getInt32(at + 4));
    if (length > 8) {
      targetView.setInt32(out + 8, sourceView.getInt32(at + 8));
      targetView.setInt32(out + 12, sourceView.getInt32(at + 12));
    }
  } else if (length >= LONG_BYTES) {
    target.set(source.subarray(at, at + length), out);
  } else {
    for (let count = 0; count < length; count++) target[out + count] = source[at + count]!;
  }
}

/** Repeats in `bytes[out..)` what is `distance` before; a match longer than that repeats its own beginning. */
export function copyMatch(
  bytes: Buffer,
  view: DataView,
  out: number,
  distance: number,
  length: number,
): void {
  const end = out + length;
  let at = out - distance;
  if (length > LONG_BYTES) {
    copyLongMatch(bytes, out, distance, length);
  } else if (distance >= 4 && out <= bytes.length - ROOM_FOR_WORDS) {
    for (; out < end; out += 4, at += 4) view.setInt32(out, view.getInt32(at));
  } else {
    while (out < end) bytes[out++] = bytes[at++]!;
  }
}

/** Each step doubles what there is to copy from, and a loop begins where that is too little. */
function copyLongMatch(bytes: Buffer, out: number, distance: number, length: number): void {
  const at = out - distance;
  const end = out + length;
  if (distance < LONG_BYTES) {
    const wholeTimes = LONG_BYTES - (LONG_BYTES % distance);
    for (let count = 0; count < wholeTimes; count++) bytes[out + count] = bytes[at + count]!;
    out += wholeTimes;
  }
  while (out < end) {
    const step = Math.min(out - at, end - out);
    bytes.copyWithin(out, at, at + step);
    out += step;
  }
}
