import { DamagedError } from './damage';

/** A frame whose blocks were walked, so that their places and sizes are right. */
export interface ZstdFrame {
  readonly start: number;
  readonly end: number;
  /** Where the first block begins. */
  readonly blocksAt: number;
  /** Size of the output; null if the header does not tell. */
  readonly contentBytes: number | null;
  /** The most bytes that a block can come to. */
  readonly maxBlockBytes: number;
  /** The most bytes that the frame can come to. */
  readonly mostBytes: number;
}

export const BLOCK_HEADER_BYTES = 3;
export const STORED_BLOCK = 0;
export const ONE_BYTE_BLOCK = 1;
const UNKNOWN_BLOCK = 3;

const MAGIC = 0xfd2fb528;
/** The last four bits are free. */
const SKIPPABLE_MAGIC = 0x184d2a50;
const MAGIC_BYTES = 4;
const SIZE_BYTES = 4;
const CHECKSUM_BYTES = 4;

const SINGLE_SEGMENT = 0x20;
const RESERVED = 0x08;
const CHECKSUM = 0x04;
const DICTIONARY_ID_BYTES = [0, 1, 2, 4] as const;
const CONTENT_SIZE_BYTES = [0, 2, 4, 8] as const;

const MAX_BLOCK_BYTES = 128 * 1024;
/** What libzstd accepts unless told otherwise. */
const MAX_WINDOW_BYTES = 128 * 1024 * 1024;

/** The frames of a set, which must be all there is; those that are to be skipped are. */
export function zstdFramesOf(bytes: Buffer): ZstdFrame[] {
  const frames: ZstdFrame[] = [];
  if (bytes.length === 0) throw new DamagedError('no zstd frame', 0);
  for (let at = 0; at < bytes.length;) {
    if (bytes.length - at < MAGIC_BYTES + SIZE_BYTES) throw endsEarly(at);
    const magic = bytes.readUInt32LE(at);
    if (magic === MAGIC) {
      const frame = frameAt(bytes, at);
      frames.push(frame);
      at = frame.end;
    } else if ((magic & ~0x0f) === SKIPPABLE_MAGIC) {
      const next = at + MAGIC_BYTES + SIZE_BYTES + bytes.readUInt32LE(at + MAGIC_BYTES);
      if (next > bytes.length) throw endsEarly(at);
      at = next;
    } else {
      throw new DamagedError('not the magic number of a zstd frame', at);
    }
  }
  return frames;
}

function frameAt(bytes: Buffer, start: number): ZstdFrame {
  const flagsAt = start + MAGIC_BYTES;
  const flags = bytes.readUInt8(flagsAt);
  if ((flags & RESERVED) !== 0) throw new DamagedError('a zstd frame of an unknown kind', flagsAt);
  const singleSegment = (flags & SINGLE_SEGMENT) !== 0;
  const idBytes = DICTIONARY_ID_BYTES[flags & 3] ?? 0;
  const sizeBytes = CONTENT_SIZE_BYTES[flags >>> 6] ?? 0;
  const windowAt = flagsAt + 1;
  const idAt = singleSegment ? windowAt : windowAt + 1;
  const sizeAt = idAt + idBytes;
  const contentSizeBytes = sizeBytes === 0 && singleSegment ? 1 : sizeBytes;
  const blocksAt = sizeAt + contentSizeBytes;
  if (blocksAt > bytes.length) throw endsEarly(start);
  if (idBytes > 0 && bytes.readUIntLE(idAt, idBytes) !== 0) {
    throw new DamagedError('a zstd frame asks for a dictionary', idAt);
  }
  const contentBytes = contentSizeBytes === 0 ? null : contentSize(bytes, sizeAt, contentSizeBytes);
  const windowBytes = singleSegment ? (contentBytes ?? 0) : windowSize(bytes.readUInt8(windowAt));
  if (!singleSegment && windowBytes > MAX_WINDOW_BYTES) {
    throw new DamagedError(`a zstd frame with a window of ${windowBytes} bytes`, windowAt);
  }
  const maxBlockBytes = Math.min(windowBytes, MAX_BLOCK_BYTES);
  const checksumBytes = (flags & CHECKSUM) === 0 ? 0 : CHECKSUM_BYTES;
  const walked = walkBlocks(bytes, start, blocksAt, maxBlockBytes);
  const end = walked.end + checksumBytes;
  if (end > bytes.length) throw endsEarly(start);
  if (contentBytes !== null && contentBytes > walked.mostBytes) {
    throw new DamagedError(`a zstd frame of ${end - start} bytes claims to hold ${contentBytes}`, sizeAt);
  }
  return { start, end, blocksAt, contentBytes, maxBlockBytes, mostBytes: contentBytes ?? walked.mostBytes };
}

function walkBlocks(
  bytes: Buffer,
  start: number,
  blocksAt: number,
  maxBlockBytes: number,
): { end: number; mostBytes: number } {
  let at = blocksAt;
  let mostBytes = 0;
  for (let last = false; !last;) {
    if (bytes.length - at < BLOCK_HEADER_BYTES) throw endsEarly(start);
    const header = bytes.readUIntLE(at, BLOCK_HEADER_BYTES);
    const kind = (header >>> 1) & 3;
    const size = header >>> 3;
    if (kind === UNKNOWN_BLOCK) throw new DamagedError('a zstd block of an unknown kind', at);
    if (size > maxBlockBytes) {
      throw new DamagedError(`a zstd block of ${size} bytes, with ${maxBlockBytes} the most,`, at);
    }
    mostBytes += kind === STORED_BLOCK || kind === ONE_BYTE_BLOCK ? size : maxBlockBytes;
    at += BLOCK_HEADER_BYTES + (kind === ONE_BYTE_BLOCK ? 1 : size);
    if (at > bytes.length) throw endsEarly(start);
    last = (header & 1) === 1;
  }
  return { end: at, mostBytes };
}

/** In two bytes the size counts from 256. */
function contentSize(bytes: Buffer, at: number, sizeBytes: number): number {
  if (sizeBytes === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, sizeBytes) + (sizeBytes === 2 ? 256 : 0);
}

/** An exponent of five bits, and eighths of it. */
function windowSize(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >>> 3));
  return base + (base / 8) * (descriptor & 7);
}

function endsEarly(at: number): DamagedError {
  return new DamagedError('zstd data ends inside the frame that begins', at);
}
