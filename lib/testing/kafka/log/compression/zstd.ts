/** Magic number; one segment, whose size follows in four bytes. */
const HEADER = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0]);
const BLOCK_BYTES = 128 * 1024;
const LAST_BLOCK = 1;

/** A right frame in which nothing gets smaller: blocks as they are. Node before 22.15 has no compressor for zstd. */
export function zstd(bytes: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const parts: Buffer[] = [HEADER, size];
  let at = 0;
  do {
    const block = bytes.subarray(at, at + BLOCK_BYTES);
    at += BLOCK_BYTES;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (at >= bytes.length ? LAST_BLOCK : 0), 0, 3);
    parts.push(header, block);
  } while (at < bytes.length);
  return Buffer.concat(parts);
}
