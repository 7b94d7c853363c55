import { ByteWriter } from '../../../support/produce/bytes';
import {
  isIn,
  textOf,
  type ApiDefinition,
  type FieldDefinition,
  type Fields,
  type Value,
} from './messageDefinition';

export interface RequestHeader {
  readonly version: number;
  readonly correlationId: number;
  readonly clientId: string | null;
}

/** A request as it goes over the wire, without the length of its frame. */
export function writeRequest(api: ApiDefinition, header: RequestHeader, fields: Fields): Buffer {
  const { apiKey, flexibleVersions } = api.request;
  const isFlexible = isIn(flexibleVersions, header.version);
  const body = new BodyWriter(header.version, isFlexible);
  body.fields(api.request.fields, fields);
  return Buffer.concat([writeHeader(apiKey, header, isFlexible), body.toBuffer()]);
}

export function writeHeader(
  apiKey: number,
  { version, correlationId, clientId }: RequestHeader,
  isFlexible: boolean,
): Buffer {
  const writer = new ByteWriter().int16(apiKey).int16(version).int32(correlationId);
  if (clientId === null) writer.int16(-1);
  else writer.string(clientId);
  // No tagged fields.
  if (isFlexible) writer.int8(0);
  return writer.toBuffer();
}

/** A frame: the length in front. */
export function framed(bytes: Buffer): Buffer {
  return new ByteWriter().bytes(bytes).toBuffer();
}

class BodyWriter {
  readonly #writer = new ByteWriter();
  readonly #version: number;
  readonly #isFlexible: boolean;

  constructor(version: number, isFlexible: boolean) {
    this.#version = version;
    this.#isFlexible = isFlexible;
  }

  toBuffer(): Buffer {
    return this.#writer.toBuffer();
  }

  fields(definitions: readonly FieldDefinition[], given: Fields): void {
    const unknown = Object.keys(given).find((name) => !definitions.some((one) => one.name === name));
    if (unknown !== undefined) throw new Error(`there is no field ${unknown}`);
    const tagged: [number, Buffer][] = [];
    for (const field of definitions) {
      if (!isIn(field.versions, this.#version)) continue;
      const value = field.name in given ? (given[field.name] ?? null) : field.fallback;
      if (field.tag === null || !isIn(field.taggedVersions, this.#version)) this.#field(field, value);
      else if (field.name in given) tagged.push([field.tag, this.#tagged(field, value)]);
    }
    if (!this.#isFlexible) return;
    this.#unsignedVarint(tagged.length);
    for (const [tag, bytes] of tagged) {
      this.#unsignedVarint(tag);
      this.#unsignedVarint(bytes.length);
      this.#writer.raw(bytes);
    }
  }

  #tagged(field: FieldDefinition, value: Value): Buffer {
    const inner = new BodyWriter(this.#version, true);
    inner.#field(field, value);
    return inner.toBuffer();
  }

  #field(field: FieldDefinition, value: Value): void {
    if (!field.isArray) {
      this.#single(field, value);
      return;
    }
    const items = value === null ? null : (value as readonly Value[]);
    this.#length(items?.length ?? -1, field.canBeCompact, 4);
    for (const item of items ?? []) this.#single(field, item);
  }

  #single({ type, isArray, fields, canBeCompact, nullableVersions }: FieldDefinition, value: Value): void {
    if (fields !== null) {
      if (!isArray && isIn(nullableVersions, this.#version)) this.#writer.int8(value === null ? -1 : 1);
      if (value !== null) this.fields(fields, value as Fields);
      return;
    }
    switch (type) {
      case 'bool':
        this.#writer.int8(value === true ? 1 : 0);
        return;
      case 'int8':
        this.#writer.int8(Number(value));
        return;
      case 'int16':
        this.#writer.int16(Number(value));
        return;
      case 'int32':
        this.#writer.int32(Number(value));
        return;
      case 'int64':
        this.#writer.int64(BigInt(value as number | bigint));
        return;
      case 'uuid':
        this.#writer.raw(Buffer.from(textOf(value), 'hex'));
        return;
      case 'string':
        this.#sized(value === null ? null : Buffer.from(textOf(value)), canBeCompact, 2);
        return;
      case 'bytes':
      case 'records':
        this.#sized(value as Buffer | null, canBeCompact, 4);
        return;
      default:
        throw new Error(`fields of type ${type} are not written here`);
    }
  }

  #sized(bytes: Buffer | null, canBeCompact: boolean, lengthBytes: 2 | 4): void {
    this.#length(bytes?.length ?? -1, canBeCompact, lengthBytes);
    if (bytes !== null) this.#writer.raw(bytes);
  }

  #length(length: number, canBeCompact: boolean, lengthBytes: 2 | 4): void {
    if (this.#isFlexible && canBeCompact) this.#unsignedVarint(length + 1);
    else if (lengthBytes === 2) this.#writer.int16(length);
    else this.#writer.int32(length);
  }

  #unsignedVarint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#writer.raw(Buffer.from([(rest & 0x7f) | 0x80]));
    this.#writer.raw(Buffer.from([rest]));
  }
}
