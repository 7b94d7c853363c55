import fc from 'fast-check';
import {
  bool,
  bytes,
  int16,
  int32,
  int64,
  int8,
  nullableBytes,
  nullableString,
  string,
  uuid,
} from '../../../lib/testing/kafka/protocol/types';
import { type AnyField, type AnyType, isIn, isItems, isStruct } from './typeShapes';

const buffers = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array));
const VALUES = new Map<AnyType, fc.Arbitrary<unknown>>([
  [bool, fc.boolean()],
  [int8, fc.integer({ min: -0x80, max: 0x7f })],
  [int16, fc.integer({ min: -0x8000, max: 0x7fff })],
  [int32, fc.integer()],
  [int64, fc.maxSafeInteger()],
  [uuid, fc.stringMatching(/^[0-9a-f]{32}$/)],
  [string, fc.string({ unit: 'grapheme' })],
  [nullableString, fc.option(fc.string({ unit: 'grapheme' }))],
  [bytes, buffers],
  [nullableBytes, fc.option(buffers)],
]);

/** Any value that a version can carry; fields that it does not have are left at their fallback. */
export function valuesOf(type: AnyType, version: number, isFlexible: boolean): fc.Arbitrary<unknown> {
  if (isStruct(type)) {
    const entries = Object.entries(type.fields);
    return fc.record(
      Object.fromEntries(entries.map(([name, one]) => [name, fieldValues(one, version, isFlexible)])),
      { noNullPrototype: true },
    );
  }
  if (isItems(type)) {
    const arrays = fc.array(valuesOf(type.item, version, isFlexible), { maxLength: 3 });
    return type.fallback === null ? fc.option(arrays) : arrays;
  }
  return VALUES.get(type) ?? fc.constant(type.fallback);
}

function fieldValues(one: AnyField, version: number, isFlexible: boolean): fc.Arbitrary<unknown> {
  const { nullableSince = 0, tag, fallback } = one;
  if (!isIn(one, version) || (tag !== undefined && !isFlexible)) return fc.constant(fallback);
  const values = valuesOf(one.type, version, isFlexible);
  return version < nullableSince ? values.map((value) => value ?? fallback) : values;
}
