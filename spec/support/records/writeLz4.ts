import { xxHash32 } from './checksums';
import { copySteps } from './copySteps';

const MAGIC = Buffer.from([0x04, 0x22, 0x4d, 0x18]);
const LEAST_COPY_BYTES = 4;
/** Largest block of 64 KiB. */
const BLOCK_DESCRIPTOR = 0x40;
const UNCOMPRESSED_BIT = 0x8000_0000;

export interface Lz4Style {
  /** Bytes of each block but the last; more than 65,536 is no right frame. */
  readonly blockBytes?: number;
  readonly blockChecksums?: boolean;
  readonly contentChecksum?: boolean;
  readonly contentSize?: boolean;
  /** Blocks as they are. */
  readonly uncompressed?: boolean;
  /** The header's checksum is of the magic number, too, as Kafka before 0.10 has it. */
  readonly oldHeaderChecksum?: boolean;
}

export function uint32LE(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

/** Four bits in the token, and bytes of 255 for the rest. */
function more(length: number): number[] {
  if (length < 15) return [];
  const rest = length - 15;
  return [...new Array<number>(Math.floor(rest / 255)).fill(255), rest % 255];
}

export function lz4Block(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (const { literals, distance, length } of copySteps(bytes)) {
    const copied = distance === 0 ? 0 : length - LEAST_COPY_BYTES;
    const token = (Math.min(literals.length, 15) << 4) | Math.min(copied, 15);
    parts.push(Buffer.from([token, ...more(literals.length)]), literals);
    if (distance > 0) parts.push(Buffer.from([distance & 0xff, distance >> 8, ...more(copied)]));
  }
  return Buffer.concat(parts);
}

/** The checksum byte behind a frame's header, which begins with the magic number. */
export function lz4HeaderChecksum(header: Buffer, isOld: boolean): number {
  return (xxHash32(isOld ? header : header.subarray(MAGIC.length)) >>> 8) & 0xff;
}

export function lz4Frame(bytes: Buffer, style: Lz4Style = {}): Buffer {
  const { blockBytes = 65_536, blockChecksums = false, contentChecksum = false, contentSize = false } = style;
  const flags = 0x60 | (blockChecksums ? 0x10 : 0) | (contentSize ? 0x08 : 0) | (contentChecksum ? 0x04 : 0);
  const size = contentSize ? Buffer.concat([uint32LE(bytes.length), uint32LE(0)]) : Buffer.alloc(0);
  const header = Buffer.concat([MAGIC, Buffer.from([flags, BLOCK_DESCRIPTOR]), size]);
  const parts: Buffer[] = [
    header,
    Buffer.from([lz4HeaderChecksum(header, style.oldHeaderChecksum ?? false)]),
  ];
  for (let at = 0; at < bytes.length; at += blockBytes) {
    const content = bytes.subarray(at, at + blockBytes);
    const block = style.uncompressed ? content : lz4Block(content);
    parts.push(uint32LE(style.uncompressed ? block.length + UNCOMPRESSED_BIT : block.length), block);
    if (blockChecksums) parts.push(uint32LE(xxHash32(block)));
  }
  parts.push(uint32LE(0));
  if (contentChecksum) parts.push(uint32LE(xxHash32(bytes)));
  return Buffer.concat(parts);
}
