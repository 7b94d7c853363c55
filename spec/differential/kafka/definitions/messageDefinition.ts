import path from 'node:path';

import { kafkaJars } from '../../../support/cluster/kafkaJars';
import { Jar } from './Jar';

/** What a field can hold. A struct's fields have the names of Kafka's definitions in camelCase. */
export type Value = null | boolean | number | bigint | string | Buffer | readonly Value[] | Fields;

export interface Fields {
  readonly [name: string]: Value;
}

/** A string that has to be there; '' for anything else. */
export function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** A field as Kafka's message definitions have it, with its type taken apart. */
export interface FieldDefinition {
  readonly name: string;
  /** Such as "int32"; of an array that of its items; "struct" if it has `fields`. */
  readonly type: string;
  readonly isArray: boolean;
  readonly fields: readonly FieldDefinition[] | null;
  readonly versions: VersionRange;
  readonly nullableVersions: VersionRange;
  /** Null for a field that is never tagged. */
  readonly tag: number | null;
  readonly taggedVersions: VersionRange;
  /** False for a string that never has a compact length. */
  readonly canBeCompact: boolean;
  /** What a request has where the script says nothing. */
  readonly fallback: Value;
}

export interface MessageDefinition {
  readonly apiKey: number;
  readonly flexibleVersions: VersionRange;
  readonly fields: readonly FieldDefinition[];
}

export interface ApiDefinition {
  readonly name: string;
  readonly request: MessageDefinition;
  readonly answer: MessageDefinition;
}

export interface VersionRange {
  readonly from: number;
  readonly to: number;
}

/** What the definitions' JSON has of a field; there is more that only the generator of Kafka's classes needs. */
interface JsonField {
  readonly name: string;
  readonly type: string;
  readonly versions?: string;
  readonly nullableVersions?: string;
  readonly taggedVersions?: string;
  readonly flexibleVersions?: string;
  readonly tag?: number;
  readonly default?: string | number | boolean;
  readonly fields?: readonly JsonField[];
}

interface JsonMessage {
  readonly apiKey: number;
  readonly flexibleVersions: string;
  readonly fields: readonly JsonField[];
  readonly commonStructs?: readonly JsonField[];
}

/** This release knows all versions of all requests, the oldest, too. */
const DEFINING_RELEASE = '3.9.1';

/** Kafka's own definitions of its messages, out of the client's jar: nothing of the embedded brokers is in them. */
export class MessageDefinitions {
  readonly #jar: Jar;
  readonly #known = new Map<string, ApiDefinition>();

  private constructor(jar: Jar) {
    this.#jar = jar;
  }

  static async load(): Promise<MessageDefinitions> {
    const jars = await kafkaJars(DEFINING_RELEASE);
    const jar = jars.find((file) => path.basename(file) === `kafka-clients-${DEFINING_RELEASE}.jar`);
    if (jar === undefined) throw new Error(`no client among the jars of ${DEFINING_RELEASE}`);
    return new MessageDefinitions(new Jar(jar));
  }

  /** @param name - such as "Metadata" */
  api(name: string): ApiDefinition {
    const known = this.#known.get(name) ?? {
      name,
      request: this.#message(`${name}Request`),
      answer: this.#message(`${name}Response`),
    };
    this.#known.set(name, known);
    return known;
  }

  #message(name: string): MessageDefinition {
    const text = this.#jar.read(`common/message/${name}.json`).toString('utf8');
    const json = JSON.parse(text.replaceAll(/^\s*\/\/.*$/gm, '')) as JsonMessage;
    const structs = new Map((json.commonStructs ?? []).map((struct) => [struct.name, struct]));
    return {
      apiKey: json.apiKey,
      flexibleVersions: rangeOf(json.flexibleVersions),
      fields: json.fields.map((field) => fieldOf(field, structs)),
    };
  }
}

function fieldOf(json: JsonField, structs: ReadonlyMap<string, JsonField>): FieldDefinition {
  const isArray = json.type.startsWith('[]');
  const item = isArray ? json.type.slice(2) : json.type;
  const inner = json.fields ?? structs.get(item)?.fields;
  const fields = inner?.map((field) => fieldOf(field, structs)) ?? null;
  return {
    name: json.name.charAt(0).toLowerCase() + json.name.slice(1),
    type: fields === null ? item : 'struct',
    isArray,
    fields,
    versions: rangeOf(json.versions),
    nullableVersions: rangeOf(json.nullableVersions),
    tag: json.tag ?? null,
    taggedVersions: rangeOf(json.taggedVersions),
    canBeCompact: json.flexibleVersions !== 'none',
    fallback: isArray ? [] : fallbackOf(item, json.default, fields),
  };
}

function fallbackOf(
  type: string,
  given: string | number | boolean | undefined,
  fields: readonly FieldDefinition[] | null,
): Value {
  if (given === 'null') return null;
  if (fields !== null) return {};
  if (type === 'string') return String(given ?? '');
  if (type === 'bytes' || type === 'records') return Buffer.alloc(0);
  if (type === 'uuid') return '0'.repeat(32);
  if (type === 'bool') return String(given) === 'true';
  return type === 'int64' ? BigInt(given ?? 0) : Number(given ?? 0);
}

/** "3+", "1-4", "2" or "none". */
function rangeOf(text = 'none'): VersionRange {
  if (text === 'none') return { from: Infinity, to: -Infinity };
  const [from = '', to = text.endsWith('+') ? 'Infinity' : from] = text.replace('+', '').split('-');
  return { from: Number(from), to: Number(to) };
}

export function isIn({ from, to }: VersionRange, version: number): boolean {
  return version >= from && version <= to;
}
