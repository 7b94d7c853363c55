import { xxHash32 } from '../../../../kafka/compression/xxHash32';
import { Copies } from './Copies';

/** Magic number; version 1 with independent blocks; blocks of up to 64 KiB. */
const HEADER = Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x60, 0x40]);
const MAGIC_BYTES = 4;
const FLAGS_AT = 4;
const CONTENT_SIZE_BIT = 0x08;
const CONTENT_SIZE_BYTES = 8;
const BLOCK_BYTES = 64 * 1024;
const STORED = 0x8000_0000;
const LEAST_COPY_BYTES = 4;
/** Lengths from here on have bytes behind the token. */
const LONG = 15;

/**
 * One frame, as JVM clients and brokers write it. `oldHeader` is for sets of format 0: there the header's checksum is over the
 * magic number, too (KAFKA-3160).
 */
export function lz4(bytes: Buffer, oldHeader: boolean): Buffer {
  const checksum = headerChecksum(HEADER, oldHeader ? 0 : MAGIC_BYTES, HEADER.length);
  const parts: Buffer[] = [HEADER, Buffer.from([checksum])];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const content = bytes.subarray(at, at + BLOCK_BYTES);
    const block = lz4Block(content);
    const isSmaller = block.length < content.length;
    parts.push(uint32LE(isSmaller ? block.length : content.length + STORED), isSmaller ? block : content);
  }
  parts.push(uint32LE(0));
  return Buffer.concat(parts);
}

/** True for a header checksum as brokers before 0.10 want it. */
export function hasOldHeader(frame: Buffer): boolean {
  const hasSize = ((frame[FLAGS_AT] ?? 0) & CONTENT_SIZE_BIT) !== 0;
  const checksumAt = HEADER.length + (hasSize ? CONTENT_SIZE_BYTES : 0);
  return frame.length > checksumAt && frame[checksumAt] === headerChecksum(frame, 0, checksumAt);
}

function headerChecksum(frame: Buffer, start: number, end: number): number {
  return (xxHash32(frame, start, end) >>> 8) & 0xff;
}

function lz4Block(block: Buffer): Buffer {
  const parts: Buffer[] = [];
  const copies = new Copies(block);
  let at = 0;
  while (copies.next()) {
    const literals = block.subarray(at, copies.start);
    const copied = copies.length - LEAST_COPY_BYTES;
    parts.push(sequenceStart(literals, copied), literals);
    parts.push(Buffer.from([copies.distance & 0xff, copies.distance >> 8, ...moreOf(copied)]));
    at = copies.start + copies.length;
  }
  const literals = block.subarray(at);
  parts.push(sequenceStart(literals, 0), literals);
  return Buffer.concat(parts);
}

function sequenceStart(literals: Buffer, copied: number): Buffer {
  const token = (Math.min(literals.length, LONG) << 4) | Math.min(copied, LONG);
  return Buffer.from([token, ...moreOf(literals.length)]);
}

function moreOf(length: number): number[] {
  if (length < LONG) return [];
  const rest = length - LONG;
  return [...new Array<number>(Math.floor(rest / 255)).fill(255), rest % 255];
}

function uint32LE(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
