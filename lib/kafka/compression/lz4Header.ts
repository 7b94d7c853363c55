import { DamagedError } from './damage';
import { xxHash32 } from './xxHash32';

/** What the header of an lz4 frame says. */
export interface Lz4Header {
  readonly linkedBlocks: boolean;
  readonly blockChecksums: boolean;
  readonly contentChecksum: boolean;
  /** Size of the output; null if the header does not tell. */
  readonly contentBytes: number | null;
  readonly maxBlockBytes: number;
  /** Where the blocks begin. */
  readonly endAt: number;
}

const MAGIC = 0x184d2204;
const FLAGS_AT = 4;
const BLOCK_SIZE_AT = 5;
const CONTENT_SIZE_AT = 6;
const CONTENT_SIZE_BYTES = 8;
const LEAST_HEADER_BYTES = 7;

const VERSION_BITS = 0xc0;
const VERSION_1 = 0x40;
const INDEPENDENT = 0x20;
const BLOCK_CHECKSUM = 0x10;
const CONTENT_SIZE = 0x08;
const CONTENT_CHECKSUM = 0x04;
const RESERVED = 0x02;
const DICTIONARY = 0x01;

/** Reads the header and checks its checksum. */
export function readLz4Header(frame: Buffer): Lz4Header {
  const checksumAt = checksumPlace(frame);
  if (frame[checksumAt] !== rightChecksum(frame, checksumAt)) throw wrongChecksum(checksumAt);
  const flags = frame.readUInt8(FLAGS_AT);
  const blockSize = frame.readUInt8(BLOCK_SIZE_AT);
  if ((flags & VERSION_BITS) !== VERSION_1 || (flags & RESERVED) !== 0) {
    throw new DamagedError('an lz4 frame of an unknown version', FLAGS_AT);
  }
  if ((flags & DICTIONARY) !== 0) throw new DamagedError('an lz4 frame asks for a dictionary', FLAGS_AT);
  if ((blockSize & 0x8f) !== 0 || blockSize < 0x40) {
    throw new DamagedError('an lz4 frame with an unknown size of blocks', BLOCK_SIZE_AT);
  }
  return {
    linkedBlocks: (flags & INDEPENDENT) === 0,
    blockChecksums: (flags & BLOCK_CHECKSUM) !== 0,
    contentChecksum: (flags & CONTENT_CHECKSUM) !== 0,
    contentBytes: (flags & CONTENT_SIZE) === 0 ? null : Number(frame.readBigUInt64LE(CONTENT_SIZE_AT)),
    // 64 KiB, 256 KiB, 1 MiB or 4 MiB, numbered from 4 on.
    maxBlockBytes: 2 ** (2 * (blockSize >>> 4) + 8),
    endAt: checksumAt + 1,
  };
}

/**
 * The frame with a right header checksum. Up to 0.9 Kafka computed it over the magic number, too, and for sets of format 0
 * brokers do so until today, also when they convert others down (KAFKA-3160). In other formats that is damage.
 */
export function withRightHeader(frame: Buffer, magic: number): Buffer {
  const checksumAt = checksumPlace(frame);
  const right = rightChecksum(frame, checksumAt);
  if (frame[checksumAt] === right) return frame;
  if (magic !== 0 || frame[checksumAt] !== checksum(frame, 0, checksumAt)) throw wrongChecksum(checksumAt);
  const corrected = Buffer.from(frame);
  corrected[checksumAt] = right;
  return corrected;
}

function checksumPlace(frame: Buffer): number {
  if (frame.length < LEAST_HEADER_BYTES)
    throw new DamagedError('an lz4 frame ends inside its header', frame.length);
  if (frame.readUInt32LE(0) !== MAGIC) throw new DamagedError('not the magic number of an lz4 frame', 0);
  const flags = frame.readUInt8(FLAGS_AT);
  const at =
    CONTENT_SIZE_AT +
    ((flags & CONTENT_SIZE) === 0 ? 0 : CONTENT_SIZE_BYTES) +
    ((flags & DICTIONARY) === 0 ? 0 : 4);
  if (at >= frame.length) throw new DamagedError('an lz4 frame ends inside its header', frame.length);
  return at;
}

function rightChecksum(frame: Buffer, checksumAt: number): number {
  return checksum(frame, FLAGS_AT, checksumAt);
}

/** The second byte of the hash. */
function checksum(frame: Buffer, start: number, end: number): number {
  return (xxHash32(frame, start, end) >>> 8) & 0xff;
}

function wrongChecksum(at: number): DamagedError {
  return new DamagedError('an lz4 frame has a wrong header checksum', at);
}
