import type { ProtocolReader } from './ProtocolReader';
import type { ProtocolWriter } from './ProtocolWriter';

const GREATEST_INT64 = 2n ** 63n - 1n;

export interface Readable<T> {
  read(reader: ProtocolReader): T;
}

export interface Writable<W> {
  write(writer: ProtocolWriter, value: W): void;
}

/** How a value is read and written; `null` is possible where the type says so. */
export interface Type<T, W = T> extends Readable<T>, Writable<W> {
  /** What a reader gets in versions that do not have the field, and a writer writes for a field that is left out. */
  readonly fallback: T;
}

function fixed<T>(
  fallback: T,
  read: (reader: ProtocolReader) => T,
  write: (writer: ProtocolWriter, value: T) => void,
): Type<T> {
  return { fallback, read, write };
}

export const int8 = fixed(
  0,
  (reader) => reader.int8(),
  (writer, value) => writer.int8(value),
);
export const int16 = fixed(
  0,
  (reader) => reader.int16(),
  (writer, value) => writer.int16(value),
);
export const int32 = fixed(
  0,
  (reader) => reader.int32(),
  (writer, value) => writer.int32(value),
);
/** Offsets, times and producer ids. Beyond 2^53 they are rounded, but the greatest and the least are written as they were read. */
export const int64 = fixed(
  0,
  (reader) => Number(reader.int64()),
  (writer, value) => writer.int64(value >= 2 ** 63 ? GREATEST_INT64 : BigInt(value)),
);
export const bool = fixed(
  false,
  (reader) => reader.int8() !== 0,
  (writer, value) => writer.int8(value ? 1 : 0),
);
/** 16 bytes in hexadecimal, without dashes. */
export const uuid = fixed(
  '0'.repeat(32),
  (reader) => reader.raw(16).toString('hex'),
  (writer, value) => writer.raw(Buffer.from(value, 'hex')),
);

export const nullableString = fixed<string | null>(
  null,
  (reader) => {
    const sizeBytes = reader.isFlexible ? reader.unsignedVarint() - 1 : reader.int16();
    return sizeBytes < 0 ? null : reader.raw(sizeBytes).toString('utf8');
  },
  (writer, value) => {
    const bytes = value === null ? null : Buffer.from(value, 'utf8');
    if (writer.isFlexible) writer.unsignedVarint((bytes?.length ?? -1) + 1);
    else writer.int16(bytes?.length ?? -1);
    if (bytes !== null) writer.raw(bytes);
  },
);
export const string = notNull('', nullableString);

/** Bytes, or records: in flexible versions with a compact length, otherwise with an int32. */
export const nullableBytes = fixed<Buffer | null>(
  null,
  (reader) => {
    const sizeBytes = reader.isFlexible ? reader.unsignedVarint() - 1 : reader.int32();
    return sizeBytes < 0 ? null : reader.raw(sizeBytes);
  },
  (writer, value) => {
    if (writer.isFlexible) writer.unsignedVarint((value?.length ?? -1) + 1);
    else writer.int32(value?.length ?? -1);
    if (value !== null) writer.raw(value);
  },
);
export const bytes = notNull(Buffer.alloc(0), nullableBytes);

/** The type of an array. */
export interface Items<T, W, N = never> extends Type<readonly T[] | N, readonly W[] | N> {
  readonly item: Type<T, W>;
}

export function nullableArray<T, W>(item: Type<T, W>): Items<T, W, null> {
  return {
    item,
    fallback: null,
    read(reader) {
      const count = reader.isFlexible ? reader.unsignedVarint() - 1 : reader.int32();
      if (count < 0) return null;
      // Each item takes a byte at least, so a length that lies is found before anything is allocated.
      if (count > reader.remainingBytes) throw new RangeError(`an array of ${count} items`);
      return Array.from({ length: count }, () => item.read(reader));
    },
    write(writer, value) {
      if (writer.isFlexible) writer.unsignedVarint((value?.length ?? -1) + 1);
      else writer.int32(value?.length ?? -1);
      for (const one of value ?? []) item.write(writer, one);
    },
  };
}

export function array<T, W>(item: Type<T, W>): Items<T, W> {
  const nullable = nullableArray(item);
  return {
    item,
    fallback: [],
    read: (reader) => present(nullable.read(reader)),
    write: (writer, value) => nullable.write(writer, value),
  };
}

function notNull<T>(fallback: T, nullable: Type<T | null>): Type<T> {
  return {
    fallback,
    read: (reader) => present(nullable.read(reader)),
    write: (writer, value) => nullable.write(writer, value),
  };
}

function present<T>(value: T | null): T {
  if (value === null) throw new RangeError('null where a value has to be');
  return value;
}
