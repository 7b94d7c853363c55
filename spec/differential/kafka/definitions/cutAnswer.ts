import { cutRecords } from '../records/cutRecords';
import { isIn, type ApiDefinition, type FieldDefinition, type Fields, type Value } from './messageDefinition';
import { PartReader, Uncut, type Part } from './PartReader';

/** An answer taken apart: the parts cover all bytes, and the fields are those that could be read. */
export interface CutAnswer {
  readonly parts: readonly Part[];
  readonly fields: Fields;
}

const API_VERSIONS = 18;

/** Cuts an answer, without the length of its frame, as that of this request. What does not fit is a part of its own. */
export function cutAnswer(api: ApiDefinition, version: number, bytes: Buffer): CutAnswer {
  const reader = new PartReader(bytes);
  const isFlexible = isIn(api.answer.flexibleVersions, version);
  const into: Record<string, Value> = {};
  try {
    reader.int32('correlationId');
    if (isFlexible && api.answer.apiKey !== API_VERSIONS) reader.unsignedVarint('header.tags');
    new BodyCutter(reader, version, isFlexible).fields(api.answer.fields, '', into);
    reader.rest('(left over)');
  } catch (error) {
    if (!(error instanceof Uncut)) throw error;
    reader.rest('(not readable)');
  }
  return { parts: reader.parts, fields: into };
}

class BodyCutter {
  readonly #reader: PartReader;
  readonly #version: number;
  readonly #isFlexible: boolean;

  constructor(reader: PartReader, version: number, isFlexible: boolean) {
    this.#reader = reader;
    this.#version = version;
    this.#isFlexible = isFlexible;
  }

  fields(definitions: readonly FieldDefinition[], prefix: string, into: Record<string, Value>): void {
    const isTagged = (field: FieldDefinition): boolean =>
      field.tag !== null && isIn(field.taggedVersions, this.#version);
    const present = definitions.filter(({ versions }) => isIn(versions, this.#version));
    for (const field of present) {
      if (!isTagged(field)) into[field.name] = this.#field(field, prefix + field.name);
    }
    if (!this.#isFlexible) return;
    const count = this.#reader.unsignedVarint(`${prefix}tags`);
    for (let index = 0; index < count; index++) {
      const name = `${prefix}tags[${index}]`;
      const tag = this.#reader.unsignedVarint(`${name}.tag`);
      const sizeBytes = this.#reader.unsignedVarint(`${name}.size`);
      const known = present.find((field) => isTagged(field) && field.tag === tag);
      if (known === undefined) this.#reader.take(`${name}.value`, sizeBytes);
      else into[known.name] = this.#field(known, prefix + known.name);
    }
  }

  #field(field: FieldDefinition, name: string): Value {
    if (!field.isArray) return this.#single(field, name);
    const count = this.#length(`${name}.length`, field.canBeCompact, 4);
    if (count < 0) return null;
    if (count > this.#reader.left) throw new Uncut(`${name}: ${count} items`);
    return Array.from({ length: count }, (_, index) => this.#single(field, `${name}[${index}]`));
  }

  #single(field: FieldDefinition, name: string): Value {
    const { type, fields, canBeCompact } = field;
    if (fields !== null) {
      const isNullable = !field.isArray && isIn(field.nullableVersions, this.#version);
      if (isNullable && this.#reader.int8(`${name}.isThere`) < 0) return null;
      const into: Record<string, Value> = {};
      this.fields(fields, `${name}.`, into);
      return into;
    }
    switch (type) {
      case 'bool':
        return this.#reader.int8(name) !== 0;
      case 'int8':
        return this.#reader.int8(name);
      case 'int16':
        return this.#reader.int16(name);
      case 'int32':
        return this.#reader.int32(name);
      case 'int64':
        return this.#reader.int64(name);
      case 'uuid':
        return this.#reader.take(name, 16).toString('hex');
      case 'string':
        return this.#sized(name, canBeCompact, 2)?.toString('utf8') ?? null;
      case 'bytes':
        return this.#sized(name, canBeCompact, 4);
      case 'records':
        return this.#records(name, canBeCompact);
      default:
        throw new Error(`fields of type ${type} are not read here`);
    }
  }

  #sized(name: string, canBeCompact: boolean, lengthBytes: 2 | 4): Buffer | null {
    const length = this.#length(`${name}.size`, canBeCompact, lengthBytes);
    return length < 0 ? null : this.#reader.take(name, length);
  }

  #records(name: string, canBeCompact: boolean): Buffer | null {
    const length = this.#length(`${name}.size`, canBeCompact, 4);
    if (length < 0) return null;
    if (length > this.#reader.left) throw new Uncut(`${name}: ${length} bytes`);
    const bytes = this.#reader.peek(0, length);
    cutRecords(this.#reader, name, length);
    return bytes;
  }

  #length(name: string, canBeCompact: boolean, lengthBytes: 2 | 4): number {
    if (this.#isFlexible && canBeCompact) return this.#reader.unsignedVarint(name) - 1;
    return lengthBytes === 2 ? this.#reader.int16(name) : this.#reader.int32(name);
  }
}
