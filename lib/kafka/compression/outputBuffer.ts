/** Most sets are smaller: 64 KiB is the block of Kafka's lz4, and 128 KiB that of zstd. */
const SCRATCH_BYTES = 256 * 1024;

/** Used again and again by codecs whose header does not tell the size; nothing of it is ever handed out. */
let scratch: Buffer | null = null;

/** Where to put up to so many bytes, not all of which may come. It is good until the next call. */
export function outputFor(mostBytes: number): Buffer {
  if (mostBytes > SCRATCH_BYTES) return Buffer.allocUnsafeSlow(mostBytes);
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  return scratch;
}

/** The bytes that came, in a buffer of their own that keeps little else alive. */
export function finishedOutput(output: Buffer, usedBytes: number): Buffer {
  const wastedBytes = output.length - usedBytes;
  if (output !== scratch && wastedBytes <= usedBytes >>> 3) return output.subarray(0, usedBytes);
  const exact = Buffer.allocUnsafe(usedBytes);
  output.copy(exact, 0, 0, usedBytes);
  return exact;
}
