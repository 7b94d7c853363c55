import { types } from 'node:util';

import { ArgumentFaults } from './argumentFaults';
import type { Generation } from './kafka/Generation';
import { CODEC_NAMES, type LogCodec } from './kafka/log/compression/codecs';
import { isExactTime } from './kafka/log/entryLayout';

/** A message for `produce`; a text stands for `{ value: text }`. */
export interface EmbeddedMessage {
  /** Default null. It does not choose the partition. */
  readonly key?: Uint8Array | string | null;
  /** Null is a tombstone. */
  readonly value: Uint8Array | string | null;
  /** Default: message n of a call goes to partition n modulo their number. */
  readonly partition?: number;
  /** Milliseconds since 1970; default now. Kafka 0.8 and 0.9 keep none. */
  readonly timestampMs?: number;
  /** Kept from Kafka 1.1 on. */
  readonly headers?: readonly EmbeddedMessageHeader[];
}

/** A header of a message. */
export interface EmbeddedMessageHeader {
  readonly key: string;
  readonly value: Uint8Array | string | null;
}

/** For `produce`. */
export interface ProduceOptions {
  /** Messages of a partition become one compressed set. Default 'none'. Kafka knows 'zstd' in 3.9 only. */
  readonly compression?: LogCodec;
}

const MESSAGE = ['key', 'value', 'partition', 'timestampMs', 'headers'] as const;
const RIGHT_FIELDS = "{ key: 'k', value: 'v' }";
const TIME = 'a whole number of milliseconds since 1970';
const BYTES = 'a text, a Buffer, a Uint8Array or null';

/**
 * The messages of a call, each with all its fields.
 *
 * @throws TypeError with all that is wrong
 */
export function checkedMessages(
  topic: string,
  messages: Iterable<string | EmbeddedMessage>,
  options: ProduceOptions,
  kafka: Generation,
): readonly EmbeddedMessage[] {
  const faults = new ArgumentFaults('produce').text('topic', topic);
  const isList = isListOfMessages(messages);
  faults.check(isList, 'messages', `a list such as ['text', ${RIGHT_FIELDS}]`, messages);
  const list = isList ? [...messages] : [];
  for (const [index, message] of list.entries()) {
    if (typeof message !== 'string') checkMessage(faults, `messages[${index}]`, message);
  }
  const fields = faults.fields(
    'options',
    options,
    ['compression'],
    "an object such as { compression: 'gzip' }",
  );
  if (fields?.compression !== undefined) {
    const known = CODEC_NAMES.filter((name) => name !== 'zstd' || kafka === '3.9');
    faults.oneOf(`compression with Kafka ${kafka}`, fields.compression, known);
  }
  faults.refuse();
  return list.map((message) => (typeof message === 'string' ? { value: message } : message));
}

/** Texts and bytes can be iterated, too, but they are one message at most. */
function isListOfMessages(given: unknown): boolean {
  if (typeof given !== 'object' || given === null || ArrayBuffer.isView(given)) return false;
  return Symbol.iterator in given;
}

function checkMessage(faults: ArgumentFaults, name: string, message: unknown): void {
  const right = `a text or an object such as ${message === null ? '{ value: null }' : RIGHT_FIELDS}`;
  const fields = faults.fields(name, message, MESSAGE, right);
  if (fields === null) return;
  const { key, value, partition, timestampMs, headers } = fields;
  if (key !== undefined) faults.check(isBytes(key), `${name}.key`, BYTES, key);
  checkValue(faults, name, value, 'null makes a tombstone');
  if (partition !== undefined) faults.wholeNumber(`${name}.partition`, partition, 0);
  if (timestampMs !== undefined) {
    faults.check(isTime(timestampMs), `${name}.timestampMs`, TIME, timestampMs);
  }
  if (headers !== undefined) checkHeaders(faults, `${name}.headers`, headers);
}

function checkHeaders(faults: ArgumentFaults, name: string, headers: unknown): void {
  faults.check(Array.isArray(headers), name, `a list such as [${RIGHT_FIELDS}]`, headers);
  if (!Array.isArray(headers)) return;
  for (const [index, header] of headers.entries()) {
    const where = `${name}[${index}]`;
    const fields = faults.fields(where, header, ['key', 'value'], `an object such as ${RIGHT_FIELDS}`);
    if (fields === null) continue;
    faults.text(`${where}.key`, fields.key);
    checkValue(faults, where, fields.value, 'null is a header without one');
  }
}

function checkValue(faults: ArgumentFaults, name: string, value: unknown, ofNull: string): void {
  if (value === undefined) faults.add(`${name}.value is missing; ${ofNull}`);
  else faults.check(isBytes(value), `${name}.value`, BYTES, value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && isExactTime(value);
}

function isBytes(value: unknown): boolean {
  return value === null || typeof value === 'string' || types.isUint8Array(value);
}
