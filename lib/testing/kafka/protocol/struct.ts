import { ProtocolReader } from './ProtocolReader';
import { ProtocolWriter } from './ProtocolWriter';
import type { Type } from './types';

export interface FieldTraits<T> {
  /** First version that has it; default 0. */
  readonly since?: number;
  /** Last version that has it. */
  readonly until?: number;
  /**
   * First version in which a null can be sent; default 0. Before it, a null of an answer is written as the fallback,
   * and a null in a request is refused.
   */
  readonly nullableSince?: number;
  /** In flexible versions it is a tagged field of this number, which is left out while it has its fallback. */
  readonly tag?: number;
  /** Read in versions without it, and written where an answer leaves it out; default: the type's. */
  readonly fallback?: T;
}

/** A field of a message, as in Kafka's message definitions. */
export interface Field<T, W = T> extends FieldTraits<T> {
  readonly type: Type<T, W>;
  readonly fallback: T;
}

/** Fields by their names. */
export type Fields = Readonly<Record<string, Field<never, never> | Field<unknown, never>>>;
type ReadOf<F> = F extends { readonly type: { read(reader: ProtocolReader): infer T } } ? T : never;
type WriteOf<F> = F extends { readonly type: { write(writer: ProtocolWriter, value: infer W): void } }
  ? W
  : never;

/** What is read: every field is there in every version. */
export type Read<F> = { readonly [K in keyof F]: ReadOf<F[K]> };
/** What is written: a field that is left out gets its fallback. */
export type Write<F> = { readonly [K in keyof F]?: WriteOf<F[K]> };

export function field<T, W>(type: Type<T, W>, traits: FieldTraits<T> = {}): Field<T, W> {
  return { type, fallback: type.fallback, ...traits };
}

/** A type made of fields; they can be read, so that a layout can be compared with another one. */
export interface Struct<F> extends Type<Read<F>, Write<F>> {
  readonly fields: F;
}

/** Fields in the order in which they are sent; which of them there are depends on the version. */
export function struct<F extends Fields>(fields: F): Struct<F> {
  const entries = Object.entries(fields) as unknown as [string, Field<unknown>][];
  const plain = entries.filter(([, { tag }]) => tag === undefined);
  const tagged = entries
    .filter(([, { tag }]) => tag !== undefined)
    .sort(([, a], [, b]) => tagOf(a) - tagOf(b));
  const fallbacks = Object.fromEntries(entries.map(([name, { fallback }]) => [name, fallback]));
  return {
    fields,
    fallback: fallbacks as Read<F>,
    read(reader) {
      const value: Record<string, unknown> = { ...fallbacks };
      for (const [name, one] of plain)
        if (isIn(one, reader.version)) value[name] = readField(reader, name, one);
      if (reader.isFlexible) readTagged(reader, tagged, value);
      return value as Read<F>;
    },
    write(writer, given) {
      const value = given as Record<string, unknown>;
      for (const [name, one] of plain) if (isIn(one, writer.version)) writeField(writer, one, value[name]);
      if (writer.isFlexible) writeTagged(writer, tagged, value);
    },
  };
}

function tagOf({ tag = 0 }: Field<unknown>): number {
  return tag;
}

function isIn({ since = 0, until = Infinity }: Field<unknown>, version: number): boolean {
  return version >= since && version <= until;
}

function readField(
  reader: ProtocolReader,
  name: string,
  { type, nullableSince = 0 }: Field<unknown>,
): unknown {
  const value = type.read(reader);
  if (value === null && reader.version < nullableSince) throw new RangeError(`null in ${name}`);
  return value;
}

function writeField(writer: ProtocolWriter, one: Field<unknown>, given: unknown): void {
  const isRefused = given === null && writer.version < (one.nullableSince ?? 0);
  one.type.write(writer, given === undefined || isRefused ? one.fallback : given);
}

function readTagged(
  reader: ProtocolReader,
  tagged: readonly [string, Field<unknown>][],
  into: Record<string, unknown>,
): void {
  const count = reader.unsignedVarint();
  for (let index = 0; index < count; index++) {
    const tag = reader.unsignedVarint();
    const bytes = reader.raw(reader.unsignedVarint());
    const [name, known] = tagged.find(([, one]) => one.tag === tag && isIn(one, reader.version)) ?? [];
    if (name === undefined || known === undefined) continue;
    into[name] = readField(new ProtocolReader(bytes, reader.version, true), name, known);
  }
}

function writeTagged(
  writer: ProtocolWriter,
  tagged: readonly [string, Field<unknown>][],
  value: Record<string, unknown>,
): void {
  const present: [number, Buffer][] = [];
  for (const [name, one] of tagged) {
    if (value[name] === undefined || !isIn(one, writer.version)) continue;
    const bytes = bytesOf(writer, one, value[name]);
    // Values are compared as bytes: an empty array is a fallback, too, and is not the same object.
    if (!bytes.equals(bytesOf(writer, one, one.fallback))) present.push([tagOf(one), bytes]);
  }
  writer.unsignedVarint(present.length);
  for (const [tag, bytes] of present) {
    writer.unsignedVarint(tag);
    writer.unsignedVarint(bytes.length);
    writer.raw(bytes);
  }
}

function bytesOf({ version }: ProtocolWriter, one: Field<unknown>, value: unknown): Buffer {
  const inner = new ProtocolWriter(version, true);
  writeField(inner, one, value);
  return inner.toBuffer();
}
