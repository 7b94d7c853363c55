const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** A size of four bytes in the header, and all of it in one window. */
const SIZE_OF_4_BYTES_SINGLE_SEGMENT = 0xa0;
/** No size; a window is described. */
const NO_SIZE = 0x00;
const WINDOW_OF_128_KIB = 0x38;

const RAW = 0;
const RLE = 1;

export interface ZstdStyle {
  readonly blockBytes?: number;
  readonly withSize?: boolean;
}

function blockHeader(type: number, sizeBytes: number, isLast: boolean): Buffer {
  const header = Buffer.alloc(3);
  header.writeUIntLE((sizeBytes << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3);
  return header;
}

/** Right frames without entropy coding: raw blocks, and blocks of one byte repeated. */
export function zstdFrame(bytes: Buffer, style: ZstdStyle = {}): Buffer {
  const { blockBytes = 4000, withSize = false } = style;
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const parts: Buffer[] = withSize
    ? [MAGIC, Buffer.from([SIZE_OF_4_BYTES_SINGLE_SEGMENT]), size]
    : [MAGIC, Buffer.from([NO_SIZE, WINDOW_OF_128_KIB])];
  for (let at = 0; at < bytes.length || at === 0; at += blockBytes) {
    const content = bytes.subarray(at, at + blockBytes);
    const isLast = at + blockBytes >= bytes.length;
    const [first = 0] = content;
    if (content.length > 1 && content.every((byte) => byte === first)) {
      parts.push(blockHeader(RLE, content.length, isLast), Buffer.from([first]));
    } else parts.push(blockHeader(RAW, content.length, isLast), content);
  }
  return Buffer.concat(parts);
}
