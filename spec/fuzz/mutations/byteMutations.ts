import type { ByteMutation, ChangeRecords, RecordMutation } from './mutation';
import { changed, replaced } from './mutation';
import { flipBit, putWrongInt32 } from './wrongNumbers';
import type { Chance } from '../../support/mutating/mutation';
import type { Field, FieldKind } from '../../support/records/fetchAnswer';
import { FETCH_VERSIONS } from '../../support/records/fetchAnswer';

const EXTREME_BYTES = [0, 1, 0x7f, 0x80, 0xfe, 0xff];

const flipped: ChangeRecords = (bytes, { chance }) =>
  bytes.length === 0 ? null : changed(bytes, (copy) => flipBit(copy, chance.below(copy.length), chance));

const set: ChangeRecords = (bytes, { chance }) =>
  bytes.length === 0
    ? null
    : changed(bytes, (copy) => {
        for (let left = chance.between(1, 4); left > 0; left -= 1) {
          copy.writeUInt8(chance.of(EXTREME_BYTES), chance.below(copy.length));
        }
      });

const numbered: ChangeRecords = (bytes, { chance }) =>
  bytes.length < 4
    ? null
    : changed(bytes, (copy) => putWrongInt32(copy, chance.below(copy.length - 3), chance));

const cut: ChangeRecords = (bytes, { chance }) =>
  bytes.length === 0 ? null : bytes.subarray(0, chance.below(bytes.length));

const putIn: ChangeRecords = (bytes, { chance }) => {
  const at = chance.below(bytes.length + 1);
  return replaced(bytes, at, at, chance.bytes(chance.between(1, 9)));
};

const leftOut: ChangeRecords = (bytes, { chance }) => {
  if (bytes.length === 0) return null;
  const at = chance.below(bytes.length);
  return replaced(bytes, at, at + chance.between(1, 9), Buffer.alloc(0));
};

/** What can happen to bytes of which nothing is known. */
export const BLIND_CHANGES: readonly ChangeRecords[] = [flipped, set, numbered, cut, putIn, leftOut];

/** Bytes of one partition go wrong; the answer around them stays right. */
export const blindRecordMutations: readonly RecordMutation[] = [
  { kind: 'a flipped bit in the records', ofRecords: flipped },
  { kind: 'bytes of the records set', ofRecords: set },
  { kind: 'a number somewhere in the records', ofRecords: numbered },
  { kind: 'the records cut', ofRecords: cut },
  { kind: 'bytes put into the records', ofRecords: putIn },
  { kind: 'bytes left out of the records', ofRecords: leftOut },
];

function pick(fields: readonly Field[], kinds: readonly FieldKind[], chance: Chance): Field | null {
  const those = fields.filter(({ kind, sizeBytes }) => kinds.includes(kind) && sizeBytes > 0);
  return those.length === 0 ? null : chance.of(those);
}

function blind(kind: string, change: ChangeRecords): ByteMutation {
  return {
    kind,
    ofBytes: ({ body }, version, surroundings) => {
      const spoilt = change(body, surroundings);
      return spoilt === null ? null : { body: spoilt, version };
    },
  };
}

/** A field of the layout gets another value, and everything else stays in its place. */
function field(kind: string, kinds: readonly FieldKind[], weight: number): ByteMutation {
  return {
    ...{ kind, weight },
    ofBytes: ({ body, fields }, version, { chance }) => {
      const one = pick(fields, kinds, chance);
      if (one === null) return null;
      const { at, sizeBytes } = one;
      const spoilt = changed(body, (copy) => {
        if (sizeBytes === 2)
          copy.writeUInt16BE(chance.of([0, 1, 3, 0xff, 0x7fff, 0x8000, 0xfffe, 0xffff]), at);
        else putWrongInt32(copy, sizeBytes === 8 ? at + chance.of([0, 4]) : at, chance);
      });
      return { body: spoilt, version };
    },
  };
}

/** The layout of an answer goes wrong. */
export const answerMutations: readonly ByteMutation[] = [
  blind('a flipped bit in the answer', flipped),
  blind('bytes of the answer set', set),
  blind('the answer cut', cut),
  blind('bytes put into the answer', putIn),
  blind('bytes left out of the answer', leftOut),
  {
    kind: 'bytes behind the answer',
    ofBytes: ({ body }, version, { chance }) => ({
      body: Buffer.concat([body, chance.bytes(chance.between(1, 30))]),
      version,
    }),
  },
  field('a count or a length of the answer', ['count', 'length'], 3),
  field('a number of the answer', ['number'], 1),
  {
    kind: 'an answer of another version',
    ofBytes: ({ body }, version, { chance }) => ({
      body,
      version: chance.of(FETCH_VERSIONS.filter((other) => other !== version)),
    }),
  },
];
