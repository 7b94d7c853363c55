import { ConnectorError, type ConnectorErrorCode } from '../errors';
import { excerpt } from '../excerpt';

/** The data of a node; a node may have none at all. */
export type ZnodeData = Buffer | null | undefined;

/** What a node should have held, and how to report that it does not. */
export interface ZnodeSubject {
  readonly code: ConnectorErrorCode;
  /** For example `consumer registration`. */
  readonly what: string;
  readonly path: string;
}

/** The error for a node whose text is not what it should be. */
export function znodeError(
  subject: ZnodeSubject,
  text: string,
  wrong: string,
  cause?: unknown,
): ConnectorError {
  return new ConnectorError(
    subject.code,
    `The ${subject.what} in ${subject.path} ${wrong}; its text is ${excerpt(text)}`,
    {
      path: subject.path,
      cause,
    },
  );
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a node whose text must be one JSON object. Only own properties of the result mean something: `__proto__` may be one. */
export function parseZnodeObject(
  data: ZnodeData,
  subject: ZnodeSubject,
): { text: string; fields: JsonObject } {
  const text = data?.toString('utf8') ?? '';
  if (text === '') throw znodeError(subject, text, 'is empty where a JSON object was expected');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw znodeError(subject, text, 'is not JSON', error);
  }
  if (!isJsonObject(parsed)) throw znodeError(subject, text, 'is not a JSON object');
  return { text, fields: parsed };
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property, never one of the prototype. */
export function fieldOf(fields: JsonObject, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
