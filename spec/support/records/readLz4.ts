import { xxHash32 } from './checksums';
import { SlowReader, Unreadable } from './SlowReader';
import { TooLarge } from './TooLarge';

const MAGIC = 0x184d_2204;
const MOST_BLOCK_BYTES = [0, 0, 0, 0, 65_536, 262_144, 1_048_576, 4_194_304];

const uint32LE = (reader: SlowReader): number => reader.take(4).readUInt32LE();

/** A length of 15 goes on in the bytes behind it, for as long as they are 255. */
function length(reader: SlowReader, first: number): number {
  let sum = first;
  for (let byte = first === 15 ? 255 : 0; byte === 255; sum += byte) [byte = 0] = reader.take(1);
  return sum;
}

/** Adds what is in a block; copies may begin at `windowAt` or behind. */
function block(bytes: Buffer, out: number[], windowAt: number, mostBytes: number, maxBytes: number): void {
  const reader = new SlowReader(bytes);
  const before = out.length;
  for (;;) {
    const [token = 0] = reader.take(1);
    const literals = length(reader, token >> 4);
    for (const byte of reader.take(literals)) out.push(byte);
    if (out.length - before > mostBytes) throw new Unreadable('more than a block may have');
    if (out.length > maxBytes) throw new TooLarge();
    if (reader.left === 0) return;
    const distance = reader.take(2).readUInt16LE();
    const count = length(reader, token & 15) + 4;
    if (distance === 0 || distance > out.length - windowAt)
      throw new Unreadable('a copy of what is not there');
    if (out.length + count - before > mostBytes) throw new Unreadable('more than a block may have');
    if (out.length + count > maxBytes) throw new TooLarge();
    for (let n = 0; n < count; n += 1) out.push(out[out.length - distance] ?? 0);
  }
}

/** Opens one lz4 frame. In messages of format 0 the header's checksum may be of the magic number, too: old Kafka has it so. */
export function readLz4(bytes: Buffer, maxBytes: number, magic: number): Buffer {
  const reader = new SlowReader(bytes);
  if (uint32LE(reader) !== MAGIC) throw new Unreadable('no lz4 frame');
  const [flags = 0, descriptor = 0] = reader.take(2);
  if (flags >> 6 !== 1) throw new Unreadable('another version of lz4 frames');
  if ((flags & 0x03) !== 0 || (descriptor & 0x8f) !== 0)
    throw new Unreadable('a dictionary, or reserved bits');
  const mostBlockBytes = MOST_BLOCK_BYTES[descriptor >> 4] ?? 0;
  if (mostBlockBytes === 0) throw new Unreadable('a size of blocks that there is not');
  const isLinked = (flags & 0x20) === 0;
  const contentBytes = (flags & 0x08) === 0 ? null : reader.take(8).readBigUInt64LE();
  const header = bytes.subarray(0, reader.at);
  const [checksum = 0] = reader.take(1);
  const checked = magic === 0 ? [header, header.subarray(4)] : [header.subarray(4)];
  if (!checked.some((part) => ((xxHash32(part) >>> 8) & 0xff) === checksum)) {
    throw new Unreadable('a wrong checksum of the header');
  }
  const out: number[] = [];
  for (let size = uint32LE(reader); size !== 0; size = uint32LE(reader)) {
    const isStored = size >= 0x8000_0000;
    const content = reader.take(isStored ? size - 0x8000_0000 : size);
    if (content.length > mostBlockBytes) throw new Unreadable('more than a block may have');
    if ((flags & 0x10) !== 0 && uint32LE(reader) !== xxHash32(content)) {
      throw new Unreadable('a wrong checksum of a block');
    }
    if (isStored) {
      for (const byte of content) out.push(byte);
      if (out.length > maxBytes) throw new TooLarge();
    } else block(content, out, isLinked ? 0 : out.length, mostBlockBytes, maxBytes);
  }
  const opened = Buffer.from(out);
  if ((flags & 0x04) !== 0 && uint32LE(reader) !== xxHash32(opened)) {
    throw new Unreadable('a wrong checksum of the content');
  }
  if (contentBytes !== null && contentBytes !== BigInt(opened.length)) {
    throw new Unreadable('another length than it says');
  }
  if (reader.left > 0) throw new Unreadable('bytes behind the frame');
  return opened;
}
