import { crc32 } from './checksums';
import { FoundFault } from './FoundFault';
import type { ReferenceMessage } from './referenceDecoder';
import { SlowReader, Unreadable } from './SlowReader';

const MOST_OFFSET = BigInt(Number.MAX_SAFE_INTEGER) - 1n;
const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
const LEAST_MESSAGE_BYTES = 14n;

/** What a wrapper of format 1 says about the times inside. */
export type TimeOfWrapper = Pick<ReferenceMessage, 'timestamp' | 'isTimeExact' | 'timestampType'>;

export interface Entry {
  /** Not 0: the value is a compressed set that stands in the place of the message. */
  readonly codec: number;
  readonly magic: 0 | 1;
  readonly message: ReferenceMessage;
}

/** Reads one entry of format 0 or 1: offset, size, checksum, magic, attributes, time in format 1, key and value. */
export function readEntry(entry: Buffer, offset: bigint, wrapper: TimeOfWrapper | null): Entry {
  // Of a compressed set only the last offset is known.
  const lost = { firstOffset: (entry.readUInt8(17) & 7) === 0 ? offset : null, lastOffset: offset };
  const reader = new SlowReader(entry.subarray(12));
  const checksum = BigInt.asUintN(32, reader.int(4));
  if (checksum !== BigInt(crc32(reader.bytes.subarray(4)))) {
    throw new FoundFault('MESSAGE_CORRUPT', 'a wrong checksum', { ...lost, isChecksum: true });
  }
  const magic = Number(reader.int(1));
  if (magic !== 0 && magic !== 1) throw new FoundFault('FORMAT_UNSUPPORTED', `format ${magic}`, lost);
  try {
    const attributes = reader.int(1);
    const own = magic === 1 ? reader.int(8) : null;
    const key = reader.sized(reader.int(4));
    const value = reader.sized(reader.int(4));
    if (reader.left > 0) throw new Unreadable('bytes behind the value');
    const time = timeOf(own, (attributes & 8n) !== 0n, wrapper);
    return { codec: Number(attributes & 7n), magic, message: { offset, key, value, ...time, headers: [] } };
  } catch (error) {
    if (error instanceof Unreadable) throw new FoundFault('MESSAGE_CORRUPT', error.message, lost);
    throw error;
  }
}

/** A wrapper of format 1 tells who gave the times, and if it was the broker, it has the time for all inside. */
function timeOf(own: bigint | null, isAppend: boolean, wrapper: TimeOfWrapper | null): TimeOfWrapper {
  if (own === null) return { timestamp: null, isTimeExact: true, timestampType: null };
  if (wrapper?.timestampType === 'append') {
    const { timestamp, isTimeExact, timestampType } = wrapper;
    return { timestamp, isTimeExact, timestampType };
  }
  const timestampType = wrapper === null ? (isAppend ? 'append' : 'create') : 'create';
  const isTimeExact = own <= MOST_EXACT && own >= -MOST_EXACT;
  return { timestamp: own === -1n ? null : own, isTimeExact, timestampType };
}

/**
 * The entries inside a compressed set. Within format 1 they count from anywhere, and the last one has the offset of the
 * wrapper; within format 0 their offsets are true, and so they are if the wrapper has none.
 */
export function readInnerSet(
  bytes: Buffer,
  wrapperMagic: 0 | 1,
  wrapperOffset: bigint,
): { readonly entry: Buffer; readonly offset: bigint }[] {
  const damaged = (why: string): FoundFault =>
    new FoundFault('MESSAGE_CORRUPT', why, { firstOffset: null, lastOffset: wrapperOffset });
  const reader = new SlowReader(bytes);
  const entries: { entry: Buffer; offset: bigint }[] = [];
  let last = -1n;
  while (reader.left > 0) {
    const from = reader.at;
    try {
      const offset = reader.int(8);
      const size = reader.int(4);
      if (size < LEAST_MESSAGE_BYTES) throw new Unreadable(`an entry of ${size} bytes`);
      reader.take(size);
      if (offset <= last || offset > MOST_OFFSET) throw new Unreadable(`offset ${offset} behind ${last}`);
      entries.push({ entry: bytes.subarray(from, reader.at), offset });
      last = offset;
    } catch (error) {
      if (error instanceof Unreadable) throw damaged(error.message);
      throw error;
    }
  }
  if (last === -1n) throw damaged('an empty set');
  if (wrapperOffset === 0n) return entries;
  if (last > wrapperOffset) throw damaged('an offset above that of the wrapper');
  const base = wrapperMagic === 0 ? 0n : wrapperOffset - last;
  return entries.map(({ entry, offset }) => ({ entry, offset: base + offset }));
}
