import {
  attributesAt,
  changeOne,
  entriesIn,
  HEADER_BYTES,
  isBatch,
  keyLengthAt,
  MAGIC_AT,
  SIZE_AT,
  sized,
} from './entries';
import { changed, replaced, type ChangeEntry, type RecordMutation } from './mutation';
import { flipBit, putWrongInt32, putWrongInt64 } from './wrongNumbers';

/** One entry goes wrong, whichever the change is for. */
export function ofEntry(kind: string, change: ChangeEntry, weight = 1): RecordMutation {
  return {
    ...{ kind, weight },
    ofRecords: (records, surroundings) =>
      changeOne(records, surroundings.chance, (entry) => change(entry, surroundings)),
  };
}

/** The entries of a set in another order, or number. */
function ofEntries(
  kind: string,
  change: (entries: Buffer[], at: number, other: Buffer | null) => readonly Buffer[] | null,
): RecordMutation {
  return {
    kind,
    ofRecords: (records, { chance, otherRecords }) => {
      const { entries, rest } = entriesIn(records);
      if (entries.length === 0) return null;
      const others = entriesIn(otherRecords).entries;
      const other = others.length === 0 ? null : chance.of(others);
      const spoilt = change(entries, chance.below(entries.length), other);
      return spoilt === null ? null : Buffer.concat([...spoilt, rest]);
    },
  };
}

/** Sets go wrong as rows of entries. */
export const rowMutations: readonly RecordMutation[] = [
  ofEntries('an entry left out', (entries, at) => entries.toSpliced(at, 1)),
  ofEntries('an entry twice', (entries, at) => entries.toSpliced(at, 0, ...entries.slice(at, at + 1))),
  ofEntries('entries swapped', (entries, at) => {
    const [one, other] = [entries[at], entries[at + 1]];
    return one === undefined || other === undefined ? null : entries.toSpliced(at, 2, other, one);
  }),
  ofEntries('an entry moved to the end', (entries, at) =>
    entries.length < 3 ? null : [...entries.toSpliced(at, 1), ...entries.slice(at, at + 1)],
  ),
  ofEntries('an entry of another answer', (entries, at, other) =>
    other === null ? null : entries.toSpliced(at, 0, other),
  ),
  ofEntries('the entry of another answer instead', (entries, at, other) =>
    other === null ? null : entries.with(at, other),
  ),
];

/** Fields that all entries have go wrong. */
export const headerMutations: readonly RecordMutation[] = [
  ofEntry('the size of an entry', (entry, { chance }) =>
    changed(entry, (copy) => putWrongInt32(copy, SIZE_AT, chance)),
  ),
  ofEntry('the offset of an entry', (entry, { chance }) =>
    changed(entry, (copy) => putWrongInt64(copy, 0, chance)),
  ),
  ofEntry('another format', (entry, { chance }) =>
    changed(entry, (copy) => copy.writeInt8(chance.of([0, 1, 2, 3, 4, 127, -1, -128]), MAGIC_AT)),
  ),
  ofEntry('another codec', (entry, { chance }) =>
    changed(entry, (copy) => {
      const at = attributesAt(copy);
      copy.writeUInt8((copy.readUInt8(at) & ~7) | chance.below(8), at);
    }),
  ),
  ofEntry('other attributes', (entry, { chance }) =>
    changed(entry, (copy) =>
      flipBit(copy, attributesAt(copy) - (isBatch(copy) ? chance.below(2) : 0), chance),
    ),
  ),
  ofEntry('bytes put into an entry, its size right', (entry, { chance }) => {
    const at = chance.between(HEADER_BYTES, entry.length + 1);
    return sized(replaced(entry, at, at, chance.bytes(chance.between(1, 9))));
  }),
  ofEntry('bytes left out of an entry, its size right', (entry, { chance }) => {
    const at = chance.between(HEADER_BYTES, entry.length);
    const spoilt = replaced(entry, at, Math.min(entry.length, at + chance.between(1, 9)), Buffer.alloc(0));
    return spoilt.length <= MAGIC_AT + 1 ? null : sized(spoilt);
  }),
];

/** The lengths of key and value go wrong, and the time: in formats 0 and 1. */
export const messageMutations: readonly RecordMutation[] = [
  ofEntry(
    'the length of a key',
    (entry, { chance }) => {
      const at = keyLengthAt(entry);
      if (isBatch(entry) || at + 4 > entry.length) return null;
      return changed(entry, (copy) => putWrongInt32(copy, at, chance));
    },
    2,
  ),
  ofEntry(
    'the length of a value',
    (entry, { chance }) => {
      const keyAt = keyLengthAt(entry) + 4;
      if (isBatch(entry) || keyAt > entry.length) return null;
      const at = keyAt + Math.max(0, entry.readInt32BE(keyAt - 4));
      if (at + 4 > entry.length) return null;
      return changed(entry, (copy) => putWrongInt32(copy, at, chance));
    },
    2,
  ),
  ofEntry('the time of a message', (entry, { chance }) => {
    if (entry.readInt8(MAGIC_AT) !== 1 || entry.length < 26) return null;
    return changed(entry, (copy) => putWrongInt64(copy, 18, chance));
  }),
];
