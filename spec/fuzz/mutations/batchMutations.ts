import {
  BATCH_BASE_TIMESTAMP_AT,
  BATCH_COUNT_AT,
  BATCH_LAST_DELTA_AT,
  BATCH_MAX_TIMESTAMP_AT,
  BATCH_PRODUCER_AT,
  varint,
} from '../../support/records/encodeBatch';
import { compress } from '../../support/records/compress';
import { SlowReader } from '../../support/records/SlowReader';
import type { Chance } from '../../support/mutating/mutation';
import { isBatch, openedPayload, payloadOf } from './entries';
import { ofEntry } from './entryMutations';
import { changed, replaced, type RecordMutation } from './mutation';
import { putWrongInt32, putWrongInt64, wrongInt32, wrongInt64 } from './wrongNumbers';

/** Where a varint is, and what it says. */
interface Varint {
  readonly from: number;
  readonly to: number;
  readonly value: bigint;
  readonly bits: 32 | 64;
}

/** A record with all of its numbers. */
interface FoundRecord {
  readonly from: number;
  readonly to: number;
  readonly numbers: readonly Varint[];
}

/** The records of a right payload; those in front of the damage if it is not right. */
function recordsIn(payload: Buffer): FoundRecord[] {
  const reader = new SlowReader(payload);
  const records: FoundRecord[] = [];
  try {
    while (reader.left > 0) records.push(recordAt(reader));
  } catch {
    // What is spoilt already can be spoilt no further.
  }
  return records;
}

function recordAt(reader: SlowReader): FoundRecord {
  const from = reader.at;
  const numbers: Varint[] = [];
  const number = (bits: 32 | 64 = 32): bigint => {
    const at = reader.at;
    const value = reader.varint(bits);
    numbers.push({ from: at, to: reader.at, value, bits });
    return value;
  };
  const sizedBytes = (): void => void reader.sized(number());
  number();
  reader.take(1);
  number(64);
  number();
  sizedBytes();
  sizedBytes();
  for (let left = number(); left > 0n; left -= 1n) {
    sizedBytes();
    sizedBytes();
  }
  return { from, to: reader.at, numbers };
}

/** The records of a batch go wrong, and are compressed again if they were; the header stays as it is. */
function ofPayload(
  kind: string,
  change: (payload: Buffer, chance: Chance) => Buffer | null,
  weight = 1,
): RecordMutation {
  return ofEntry(
    kind,
    (entry, { chance }) => {
      const payload = isBatch(entry) ? payloadOf(entry) : null;
      const opened = payload?.codec === 0 ? payload.bytes : payload && openedPayload(payload);
      const spoilt = opened && change(opened, chance);
      if (!payload || !spoilt) return null;
      return payload.with(compress(payload.codec, spoilt, chance.below(5)));
    },
    weight,
  );
}

/** A number of a record is written another way. The record's length is made right in half of the cases, if it is another. */
function ofNumber(
  kind: string,
  write: (number: Varint, chance: Chance) => Buffer,
  weight = 1,
): RecordMutation {
  return ofPayload(
    kind,
    (payload, chance) => {
      const records = recordsIn(payload);
      if (records.length === 0) return null;
      const record = chance.of(records);
      const number = chance.of(record.numbers);
      const [length] = record.numbers;
      const spoilt = replaced(payload, number.from, number.to, write(number, chance));
      if (length === undefined || number === length || chance.isTrue(0.5)) return spoilt;
      const longer = BigInt(spoilt.length - payload.length);
      return replaced(spoilt, length.from, length.to, varint(length.value + longer));
    },
    weight,
  );
}

/** The same number with bytes that say nothing. */
function stretched({ from, to }: Varint, payloadBytes: number): number {
  return Math.max(to - from, payloadBytes);
}

function longer(value: bigint, byteCount: number): Buffer {
  const bytes = [...varint(value)];
  while (bytes.length < byteCount) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80;
    bytes.push(0);
  }
  return Buffer.from(bytes);
}

const ofBatch = (kind: string, change: (copy: Buffer, chance: Chance) => void): RecordMutation =>
  ofEntry(kind, (entry, { chance }) =>
    isBatch(entry) ? changed(entry, (copy) => change(copy, chance)) : null,
  );

/** Headers and records of format 2 go wrong. */
export const batchMutations: readonly RecordMutation[] = [
  ofBatch('the number of records', (copy, chance) => putWrongInt32(copy, BATCH_COUNT_AT, chance)),
  ofBatch('the last offset of a batch', (copy, chance) => putWrongInt32(copy, BATCH_LAST_DELTA_AT, chance)),
  ofBatch('the times of a batch', (copy, chance) =>
    putWrongInt64(copy, chance.of([BATCH_BASE_TIMESTAMP_AT, BATCH_MAX_TIMESTAMP_AT]), chance),
  ),
  ofBatch('the producer of a batch', (copy, chance) =>
    chance.isTrue(0.5)
      ? copy.writeBigInt64BE(BigInt(chance.of([-1, 7, 8])), BATCH_PRODUCER_AT)
      : putWrongInt64(copy, BATCH_PRODUCER_AT, chance),
  ),
  ofNumber(
    'a number in a record',
    ({ value, bits }, chance) =>
      varint(bits === 64 ? wrongInt64(value, chance) : wrongInt32(Number(value), chance)),
    6,
  ),
  ofNumber('a varint stretched', (number, chance) =>
    longer(number.value, stretched(number, chance.of([2, 5, 6, 10, 11]))),
  ),
  ofNumber('a varint of too many bits', (_, chance) =>
    Buffer.from([...new Array<number>(chance.of([4, 9])).fill(0x80), chance.between(1, 0x80)]),
  ),
  ofNumber('a varint without its end', (_, chance) =>
    Buffer.alloc(chance.between(1, 12), 0x80 | chance.below(128)),
  ),
  ofPayload('a record left out', (payload, chance) => {
    const records = recordsIn(payload);
    if (records.length === 0) return null;
    const { from, to } = chance.of(records);
    return replaced(payload, from, to, Buffer.alloc(0));
  }),
  ofPayload('a record twice', (payload, chance) => {
    const records = recordsIn(payload);
    if (records.length === 0) return null;
    const { from, to } = chance.of(records);
    return replaced(payload, to, to, payload.subarray(from, to));
  }),
  ofPayload('records swapped', (payload, chance) => {
    const records = recordsIn(payload);
    const at = chance.below(Math.max(1, records.length - 1));
    const [one, other] = [records[at], records[at + 1]];
    if (one === undefined || other === undefined) return null;
    const both = [payload.subarray(other.from, other.to), payload.subarray(one.from, one.to)];
    return replaced(payload, one.from, other.to, Buffer.concat(both));
  }),
];
