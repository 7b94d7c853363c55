import type { Field, Struct } from '../../../lib/testing/kafka/protocol/struct';
import type { Items, Type } from '../../../lib/testing/kafka/protocol/types';

export type AnyType = Type<unknown, never>;
export type AnyField = Field<unknown, never>;
export type AnyStruct = Struct<Record<string, AnyField>>;

export function isStruct(type: AnyType): type is AnyStruct {
  return 'fields' in type;
}

export function isItems(type: AnyType): type is Items<unknown, never, null> {
  return 'item' in type;
}

export function isIn({ since = 0, until = Infinity }: AnyField, version: number): boolean {
  return version >= since && version <= until;
}
