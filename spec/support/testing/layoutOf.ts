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
import { type AnyField, type AnyType, isIn, isItems, isStruct, type AnyStruct } from './typeShapes';

const FIXED = new Map<AnyType, string>([
  [bool, 'BOOLEAN'],
  [int8, 'INT8'],
  [int16, 'INT16'],
  [int32, 'INT32'],
  [int64, 'INT64'],
  [uuid, 'UUID'],
]);
const COMPACT_IF_FLEXIBLE = new Map<AnyType, string>([
  [string, 'STRING'],
  [nullableString, 'NULLABLE_STRING'],
  [bytes, 'BYTES'],
  [nullableBytes, 'RECORDS'],
]);

/** The layout of a version, written down as Kafka's own are in the fixture. */
export function layoutOf(type: AnyType, version: number, isFlexible: boolean): string {
  if (isStruct(type)) return structLayout(type, version, isFlexible);
  if (isItems(type)) return `[${layoutOf(type.item, version, isFlexible)}]`;
  const fixed = FIXED.get(type);
  if (fixed !== undefined) return fixed;
  const sized = COMPACT_IF_FLEXIBLE.get(type);
  if (sized === undefined) throw new Error('a type without a name');
  return isFlexible ? `COMPACT_${sized}` : sized;
}

function structLayout({ fields }: AnyStruct, version: number, isFlexible: boolean): string {
  const present = Object.entries(fields).filter(([, one]) => isIn(one, version));
  const texts = present
    .filter(([, { tag }]) => tag === undefined)
    .map(([name, one]) => `${name}:${fieldLayout(one, version, isFlexible)}`);
  const tagged = present
    .flatMap(([name, one]) => (one.tag === undefined ? [] : [{ name, one, tag: one.tag }]))
    .sort((a, b) => a.tag - b.tag)
    .map(({ name, one, tag }) => `${tag}=${name}:${fieldLayout(one, version, isFlexible)}`);
  if (isFlexible) texts.push(`<${tagged.join(' ')}>`);
  return `{${texts.join(' ')}}`;
}

function fieldLayout({ type, nullableSince = 0 }: AnyField, version: number, isFlexible: boolean): string {
  const text = layoutOf(type, version, isFlexible);
  const canBeNull = version >= nullableSince;
  if (isItems(type)) return canBeNull && type.fallback === null ? `${text}?` : text;
  return canBeNull ? text : text.replace('NULLABLE_', '');
}
