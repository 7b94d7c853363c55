import { DamagedError } from './damage';
import { BLOCK_HEADER_BYTES, ONE_BYTE_BLOCK, STORED_BLOCK, type ZstdFrame } from './zstdFrames';
import { ZstdLiterals } from './zstdLiterals';
import { ZstdSequences } from './zstdSequences';

/**
 * Decompresses a frame to `output[from..to)` and tells where its output ends, or -1 if it comes to more. The checksum of the
 * content is not compared: what a broker stores is under Kafka's own.
 */
export function decodeZstdFrame(
  input: Buffer,
  frame: ZstdFrame,
  output: Buffer,
  from: number,
  to: number,
): number {
  const view = new DataView(input.buffer, input.byteOffset, input.length);
  const literals = new ZstdLiterals(input, view);
  const sequences = new ZstdSequences(input, view, output, from);
  let at = frame.blocksAt;
  let out = from;
  for (let last = false; !last;) {
    const header = input.readUIntLE(at, BLOCK_HEADER_BYTES);
    const kind = (header >>> 1) & 3;
    const size = header >>> 3;
    const start = at + BLOCK_HEADER_BYTES;
    const end = start + (kind === ONE_BYTE_BLOCK ? 1 : size);
    if (kind === STORED_BLOCK || kind === ONE_BYTE_BLOCK) {
      if (size > to - out) return -1;
      if (kind === STORED_BLOCK) input.copy(output, out, start, end);
      else output.fill(input.readUInt8(start), out, out + size);
      out += size;
    } else {
      const blockEnd = Math.min(out + frame.maxBlockBytes, to);
      const sequencesAt = literals.read(start, end, frame.maxBlockBytes);
      const outEnd = sequences.execute(sequencesAt, end, literals, out, blockEnd);
      if (outEnd < 0) {
        if (blockEnd < out + frame.maxBlockBytes) return -1;
        throw new DamagedError(`a zstd block comes to more than ${frame.maxBlockBytes} bytes`, at);
      }
      out = outEnd;
    }
    at = end;
    last = (header & 1) === 1;
  }
  return out;
}
