import { crc32, gunzipSync, gzipSync } from 'node:zlib';

import { changed, framed, goOn, ints, type Chance, type Mutation } from './mutation';
import { fetchedParts, type FetchedPart } from './fetchedParts';
import { EXTREMES } from './frameMutations';

/* Places in an entry: offset, size, checksum, magic, attributes, then what the checksum is of as well. */
const SIZE_AT = 8;
const CRC_AT = 12;
const MAGIC_AT = 16;
const ATTRIBUTES_AT = 17;
const GZIP = 1;
const MOST_NESTED = 6;

type Entries = readonly Buffer[];

/** Whole entries only. */
function entriesOf(records: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; records.length - at >= MAGIC_AT;) {
    const end = at + CRC_AT + records.readInt32BE(at + SIZE_AT);
    if (end > records.length || end < at + MAGIC_AT + 10) break;
    entries.push(records.subarray(at, end));
    at = end;
  }
  return entries;
}

function withChecksum(entry: Buffer): Buffer {
  return changed(entry, (copy) => {
    copy.writeUInt32BE(crc32(copy.subarray(MAGIC_AT)), CRC_AT);
    copy.writeInt32BE(copy.length - CRC_AT, SIZE_AT);
  });
}

const bodyAt = (entry: Buffer): number => (entry.readInt8(MAGIC_AT) === 0 ? 18 : 26);

/** What is compressed in it; null if nothing is. Wrappers have no key. */
function insideOf(entry: Buffer): Buffer | null {
  if ((entry.readInt8(ATTRIBUTES_AT) & 7) !== GZIP) return null;
  return gunzipSync(entry.subarray(bodyAt(entry) + 8));
}

/** The wrapper with another set in it, and everything around that right. */
function rewrapped(wrapper: Buffer, inside: Buffer): Buffer {
  const value = gzipSync(inside, { level: 1 });
  return withChecksum(Buffer.concat([wrapper.subarray(0, bodyAt(wrapper)), ints(-1, value.length), value]));
}

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
    one(entries, chance, (entry) => flippedBehind(entry, CRC_AT, chance)),
  ),
  ofRecords('a flipped bit, the checksum made right', true, (entries, chance) =>
    one(entries, chance, (entry) => withChecksum(flippedBehind(entry, MAGIC_AT, chance))),
  ),
  ofRecords('another format or codec, the checksum made right', true, (entries, chance) =>
    one(entries, chance, (entry) =>
      withChecksum(
        changed(entry, (copy) => copy.writeUInt8(chance.below(256), chance.of([MAGIC_AT, ATTRIBUTES_AT]))),
      ),
    ),
  ),
  ofRecords('an extreme length, the checksum made right', true, (entries, chance) =>
    one(entries, chance, (entry) =>
      withChecksum(
        changed(entry, (copy) => copy.writeInt32BE(chance.of(EXTREMES), bodyAt(copy) + 4 * chance.below(2))),
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
    changed(inside, (copy) => copy.writeInt32BE(chance.of(EXTREMES), chance.below(copy.length - 4))),
  ),
];
