import { hasRightChecksum, lastOffsetOf } from './referenceBatch';

const MOST_OFFSET = BigInt(Number.MAX_SAFE_INTEGER) - 1n;

/** What a walk over the entries finds, by the words of the connector's own walk. */
export interface ReferenceScan {
  readonly validBytes: number;
  readonly nextOffset: bigint;
  readonly damaged: boolean;
}

/** The whole entries at the beginning, and the offset behind them: where the next fetch begins. */
export function scanByReference(bytes: Buffer): ReferenceScan {
  let at = 0;
  let last: bigint | null = null;
  while (bytes.length - at >= 12) {
    const size = bytes.readInt32BE(at + 8);
    if (size < 14) return { validBytes: at, nextOffset: behind(last), damaged: true };
    if (size > bytes.length - at - 12) break;
    const entry = bytes.subarray(at, at + 12 + size);
    const offset = entry.readBigInt64BE(0);
    const isBatch = entry.readInt8(16) === 2;
    const lastHere = isBatch ? believedLast(entry, bytes.subarray(at + entry.length)) : offset;
    const isBehind = isBatch && last !== null && offset <= last;
    if (offset < 0n || offset > MOST_OFFSET || lastHere === null || isBehind) {
      return { validBytes: at, nextOffset: behind(last), damaged: true };
    }
    // Brokers send some entries of the old formats twice.
    if (last === null || lastHere > last) last = lastHere;
    at += entry.length;
  }
  return { validBytes: at, nextOffset: behind(last), damaged: false };
}

/** A batch that claims to go beyond the next one, or makes no sense, is believed by its checksum; else the next one tells. */
function believedLast(batch: Buffer, rest: Buffer): bigint | null {
  const told = lastOffsetOf(batch);
  const offsetBehind = rest.length >= 8 ? rest.readBigInt64BE(0) : -1n;
  const next = offsetBehind > 0n && offsetBehind <= MOST_OFFSET ? offsetBehind : null;
  if (told !== null && (next === null || told < next)) return told;
  if (hasRightChecksum(batch)) return told;
  return next === null ? null : next - 1n;
}

function behind(last: bigint | null): bigint {
  return last === null ? -1n : last + 1n;
}
