import { CODECS, compress, GZIP, LZ4, SNAPPY, ZSTD } from '../../support/records/compress';
import { lz4HeaderChecksum } from '../../support/records/writeLz4';
import { BLIND_CHANGES } from './byteMutations';
import { isBatch, mendChecksums, openedPayload, payloadOf, type Payload } from './entries';
import { ofEntry } from './entryMutations';
import { changed, type RecordMutation, type Surroundings } from './mutation';
import { flipBit, wrongInt32 } from './wrongNumbers';

const XERIAL_HEADER_BYTES = 16;
const XERIAL_FIRST = 0x82;
/** More than any set of the samples, and more than a fuzzed set may come to. */
const BOMB_BYTES = 3_000_000;

/** Compressed bytes that come to too much, each made once. */
const BOMBS = new Map<string, Buffer>();

function bomb(codec: number, style: number): Buffer {
  const name = `${codec} ${style}`;
  const made = BOMBS.get(name) ?? compress(codec, Buffer.alloc(BOMB_BYTES, 'a'), style);
  BOMBS.set(name, made);
  return made;
}

/** By a codec that there is. */
function isCompressed({ codec }: Payload): boolean {
  return codec >= GZIP && codec <= ZSTD;
}

/** The compressed bytes of an entry go wrong; the entry around them is right. */
function ofCompressed(
  kind: string,
  change: (payload: Payload, surroundings: Surroundings) => Buffer | null,
  weight = 1,
): RecordMutation {
  return ofEntry(
    kind,
    (entry, surroundings) => {
      const payload = payloadOf(entry);
      if (payload === null || !isCompressed(payload)) return null;
      const spoilt = change(payload, surroundings);
      return spoilt === null ? null : payload.with(spoilt);
    },
    weight,
  );
}

/** An lz4 header with another byte in it, and mostly the checksum that it has then. */
function spoiltLz4Header(bytes: Buffer, { chance }: Surroundings): Buffer {
  return changed(bytes, (copy) => {
    const headerBytes = (copy.readUInt8(4) & 0x08) === 0 ? 6 : 14;
    flipBit(copy, chance.between(4, headerBytes), chance);
    const nowBytes = (copy.readUInt8(4) & 0x08) === 0 ? 6 : 14;
    if (copy.length <= nowBytes || chance.isTrue(0.1)) return;
    copy.writeUInt8(lz4HeaderChecksum(copy.subarray(0, nowBytes), chance.isTrue(0.3)), nowBytes);
  });
}

/** A number that says how long something is: in front of a block, or of all. */
function spoiltLength({ codec, bytes }: Payload, surroundings: Surroundings): Buffer | null {
  const { chance } = surroundings;
  if (codec === SNAPPY && bytes.length > 4) {
    const isXerial = bytes[0] === XERIAL_FIRST && bytes.length > XERIAL_HEADER_BYTES + 4;
    const at = isXerial ? XERIAL_HEADER_BYTES : 0;
    return changed(bytes, (copy) => {
      if (isXerial && chance.isTrue(0.5)) copy.writeInt32BE(wrongInt32(copy.readInt32BE(at), chance), at);
      else
        copy.writeUInt8(
          chance.below(256),
          Math.min(copy.length - 1, (isXerial ? at + 4 : at) + chance.below(3)),
        );
    });
  }
  if (codec === LZ4 && bytes.length > 15) {
    if (chance.isTrue(0.4)) return spoiltLz4Header(bytes, surroundings);
    const sizeAt = (bytes.readUInt8(4) & 0x08) === 0 ? 7 : 15;
    if (bytes.length < sizeAt + 8) return null;
    return changed(bytes, (copy) => {
      // The size of the first block, or the token behind it with what follows.
      if (chance.isTrue(0.5)) copy.writeInt32LE(wrongInt32(copy.readInt32LE(sizeAt), chance), sizeAt);
      else copy.writeUInt8(chance.below(256), sizeAt + 4 + chance.below(4));
    });
  }
  if (codec === ZSTD && bytes.length > 10) {
    return changed(bytes, (copy) => copy.writeUInt8(chance.below(256), chance.between(4, 10)));
  }
  if (codec === GZIP && bytes.length > 18) {
    // The size at the end, which is only a hint, or a flag in front.
    return changed(bytes, (copy) => flipBit(copy, chance.isTrue(0.5) ? copy.length - 1 : 3, chance));
  }
  return null;
}

/** Compressed bytes, and what is inside them, go wrong. */
export const compressedMutations: readonly RecordMutation[] = [
  ofCompressed(
    'compressed bytes',
    ({ bytes }, surroundings) => surroundings.chance.of(BLIND_CHANGES)(bytes, surroundings),
    2,
  ),
  ofCompressed('a length in compressed bytes', spoiltLength, 4),
  ofCompressed('bytes behind the compressed ones', ({ bytes }, { chance }) =>
    Buffer.concat([bytes, chance.isTrue(0.3) ? bytes : chance.bytes(chance.between(1, 12))]),
  ),
  ofCompressed('more inside than may be', ({ codec }, { chance }) => bomb(codec, chance.below(2))),
  ofCompressed('nothing inside', ({ codec }, { chance }) =>
    chance.isTrue(0.5) ? Buffer.alloc(0) : compress(codec, Buffer.alloc(0), chance.below(5)),
  ),
  ofEntry('compressed by another codec', (entry, { chance }) => {
    const payload = payloadOf(entry);
    const opened = payload?.codec === 0 && isBatch(entry) ? payload.bytes : payload && openedPayload(payload);
    if (!payload || !opened) return null;
    const codec = chance.of(CODECS);
    return payload.with(compress(codec, opened, chance.below(5)), codec);
  }),
];

/** A set in a set goes wrong by one of the given mutations; its checksums are mended mostly, and it is compressed again. */
export function insideMutation(inner: readonly RecordMutation[]): RecordMutation {
  return ofCompressed(
    'damage inside a compressed set',
    (payload, surroundings) => {
      const { chance } = surroundings;
      const opened = openedPayload(payload);
      const spoilt = opened && chance.of(inner).ofRecords(opened, surroundings);
      if (!spoilt) return null;
      const mended = Buffer.from(spoilt);
      if (chance.isTrue(0.85)) mendChecksums(mended);
      return compress(payload.codec, mended, chance.below(5));
    },
    6,
  );
}

/** A set of format 0 or 1 in sets of its own kind, one to five times. */
export const nestedMutation: RecordMutation = ofEntry('sets in sets', (entry, { chance }) => {
  const payload = isBatch(entry) ? null : payloadOf(entry);
  if (payload === null || !isCompressed(payload)) return null;
  let nested = entry;
  for (let left = chance.between(1, 6); left > 0; left -= 1) {
    const inner = Buffer.from(nested);
    mendChecksums(inner);
    nested = payload.with(compress(payload.codec, inner, chance.below(4)));
  }
  return nested;
});
