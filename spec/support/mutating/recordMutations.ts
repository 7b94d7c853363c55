import { changed, framed, goOn, ints, type Chance, type Mutation } from './mutation';
import {
  attributesAt,
  checkedFrom,
  checksumAt,
  entriesOf,
  insideOf,
  lengthsAt,
  MAGIC_AT,
  rewrapped,
  SIZE_AT,
  withChecksum,
} from './recordEntries';
import { fetchedParts, type FetchedPart } from './fetchedParts';
import { EXTREMES } from './frameMutations';

const MOST_NESTED = 6;
/** The least and the greatest number, -1, 0, one without an end, and one byte too many. */
const EXTREME_VARINTS = ['ffffffff0f', 'feffffff0f', '01', '00', 'ffffffffff', '808080808001'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

type Entries = readonly Buffer[];

function flippedBehind(entry: Buffer, from: number, chance: Chance): Buffer {
  return changed(entry, (copy) => {
    const at = chance.between(from, copy.length);
    copy.writeUInt8(copy.readUInt8(at) ^ (1 << chance.below(8)), at);
  });
}

/** One of the entries changed, the others as they are. */
function one(entries: Entries, chance: Chance, change: (entry: Buffer) => Buffer): Buffer {
  const index = chance.below(entries.length);
  return Buffer.concat(entries.map((entry, n) => (n === index ? change(entry) : entry)));
}

/** Changes the records of one partition; everything around them stays right. */
function ofRecords(
  kind: string,
  isPlausible: boolean,
  change: (entries: Entries, chance: Chance) => Buffer | null,
): Mutation {
  return {
    ...{ kind, isPlausible, weight: 2 },
    apply({ frame, request }, chance) {
      const parts = fetchedParts(frame, request).filter(({ end, recordsAt }) => end > recordsAt);
      if (parts.length === 0) return null;
      const { sizeAt, recordsAt, end }: FetchedPart = chance.of(parts);
      const entries = entriesOf(frame.subarray(recordsAt, end));
      const records = entries.length === 0 ? null : change(entries, chance);
      if (records === null) return null;
      return goOn(framed(frame.subarray(4, sizeAt), ints(records.length), records, frame.subarray(end)));
    },
  };
}

/** Inside a compressed set, whose checksum is right again. */
function ofInside(kind: string, change: (inside: Buffer, chance: Chance) => Buffer): Mutation {
  return ofRecords(kind, true, (entries, chance) => {
    const wrapped = entries.flatMap((entry) => {
      const inside = insideOf(entry);
      return inside === null ? [] : [{ entry, inside }];
    });
    if (wrapped.length === 0) return null;
    const { entry, inside } = chance.of(wrapped);
    return rewrapped(entry, change(inside, chance));
  });
}

/** What can happen to the messages inside an answer to a fetch. */
export const recordMutations: readonly Mutation[] = [
  ofRecords('a flipped bit under the checksum', false, (entries, chance) =>
    one(entries, chance, (entry) => flippedBehind(entry, checksumAt(entry), chance)),
  ),
  ofRecords('a flipped bit, the checksum made right', true, (entries, chance) =>
    one(entries, chance, (entry) => withChecksum(flippedBehind(entry, checkedFrom(entry), chance))),
  ),
  ofRecords('another format or codec, the checksum made right', true, (entries, chance) =>
    one(entries, chance, (entry) =>
      withChecksum(
        changed(entry, (copy) =>
          copy.writeUInt8(chance.below(256), chance.of([MAGIC_AT, attributesAt(entry)])),
        ),
        entry,
      ),
    ),
  ),
  ofRecords('an extreme length, the checksum made right', true, (entries, chance) =>
    one(entries, chance, (entry) =>
      withChecksum(
        changed(entry, (copy) => copy.writeInt32BE(chance.of(EXTREMES), chance.of(lengthsAt(entry)))),
      ),
    ),
  ),
  ofRecords('an extreme offset', true, (entries, chance) =>
    one(entries, chance, (entry) =>
      changed(entry, (copy) => {
        copy.writeInt32BE(chance.of(EXTREMES), 0);
        if (chance.isTrue(0.5)) copy.writeInt32BE(chance.of(EXTREMES), 4);
      }),
    ),
  ),
  ofRecords('an extreme size of a message', false, (entries, chance) =>
    one(entries, chance, (entry) =>
      changed(entry, (copy) => copy.writeInt32BE(chance.of(EXTREMES.filter((n) => n < 14)), SIZE_AT)),
    ),
  ),
  ofRecords('messages in disorder', true, (entries, chance) =>
    Buffer.concat(chance.shuffled([...entries, ...entries])),
  ),
  ofRecords('messages of garbage', true, (entries, chance) =>
    Buffer.concat([...entries.slice(0, chance.below(entries.length)), chance.bytes(chance.between(1, 90))]),
  ),
  ofRecords('compressed sets inside one another', true, (entries, chance) => {
    const wrapper = entries.find((entry) => insideOf(entry) !== null);
    if (wrapper === undefined) return null;
    let nested = wrapper;
    for (let n = chance.between(1, MOST_NESTED); n > 0; n -= 1) nested = rewrapped(wrapper, nested);
    return nested;
  }),
  ofInside('a flipped bit in a compressed set', (inside, chance) => flippedBehind(inside, 0, chance)),
  ofInside('a cut compressed set', (inside, chance) => inside.subarray(0, chance.below(inside.length))),
  ofInside('an extreme number in a compressed set', (inside, chance) =>
    changed(inside, (copy) => {
      const at = chance.below(copy.length - 6);
      // Records of a batch have lengths of one to five bytes.
      if (chance.isTrue(0.5)) copy.writeInt32BE(chance.of(EXTREMES), at);
      else copy.set(chance.of(EXTREME_VARINTS), at);
    }),
  ),
];
