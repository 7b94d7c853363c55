import { ConnectorError } from '../errors';
import {
  fieldOf,
  isJsonObject,
  parseZnodeObject,
  znodeError,
  type ZnodeData,
  type ZnodeSubject,
} from './znodeText';

export type SubscriptionPattern = 'static' | 'white_list' | 'black_list';

/** What a member wants to consume. */
export interface Subscription {
  readonly pattern: SubscriptionPattern;
  /** Topic, or with the other patterns one regex of topics, to number of streams. */
  readonly subscription: ReadonlyMap<string, number>;
}

/** What a member has written about itself below `ids`. An unknown pattern is read as `static`, as the JVM members do. */
export interface Registration extends Subscription {
  /** The node it was read from, for messages. */
  readonly path: string;
}

/** Each stream becomes a thread id in memory of every member; a larger sum is a mistake or an attack. */
export const MAX_STREAMS_PER_MEMBER = 100_000;

/**
 * The exact bytes that a JVM member would write. Keys are written in the map's order, each once-escaped;
 * `timestamp` is a text because members up to 0.10 fail on a number of that size, with them the whole group.
 */
export function encodeRegistration(registration: Subscription & { readonly timestampMs: number }): Buffer {
  const { subscription, pattern, timestampMs } = registration;
  const wrong = streamCountFault(subscription);
  // A malformed registration stops the rebalances of every member, so it must not get out.
  if (wrong !== undefined) throw new ConnectorError('REGISTRATION_INVALID', `The own subscription ${wrong}`);
  // By hand: an object would move topics like "7" to the front and lose "__proto__".
  const counts = Array.from(subscription, ([topic, streams]) => `${jsonText(topic)}:${streams}`);
  return Buffer.from(
    `{"version":1,"subscription":{${counts.join(',')}},"pattern":"${pattern}","timestamp":"${timestampMs}"}`,
  );
}

/** Needs only `pattern` and `subscription`; everything else is ignored, whatever it is. */
export function decodeRegistration(data: ZnodeData, path: string): Registration {
  const subject: ZnodeSubject = { code: 'REGISTRATION_INVALID', what: 'consumer registration', path };
  const { text, fields } = parseZnodeObject(data, subject);
  const pattern = fieldOf(fields, 'pattern');
  if (typeof pattern !== 'string') throw znodeError(subject, text, 'has no text in its field "pattern"');
  const counts = fieldOf(fields, 'subscription');
  if (!isJsonObject(counts)) throw znodeError(subject, text, 'has no object in its field "subscription"');
  const subscription = new Map<string, number>();
  for (const [topic, streams] of Object.entries(counts)) {
    if (typeof streams !== 'number') {
      throw znodeError(subject, text, `has no number of streams for ${JSON.stringify(topic)}`);
    }
    subscription.set(topic, streams);
  }
  const wrong = streamCountFault(subscription);
  if (wrong !== undefined) throw znodeError(subject, text, wrong);
  return { path, pattern: isKnownPattern(pattern) ? pattern : 'static', subscription };
}

/** As members of the JVM write it, which escape more than JSON asks for. */
function jsonText(text: string): string {
  return JSON.stringify(text)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\u009f]/g, (control) => `\\u00${control.charCodeAt(0).toString(16)}`);
}

function isKnownPattern(pattern: string): pattern is SubscriptionPattern {
  return pattern === 'static' || pattern === 'white_list' || pattern === 'black_list';
}

function streamCountFault(subscription: ReadonlyMap<string, number>): string | undefined {
  let total = 0;
  for (const [topic, streams] of subscription) {
    if (!Number.isSafeInteger(streams) || streams < 1) {
      return `has ${streams} streams for ${JSON.stringify(topic)}, which must be a whole number from 1`;
    }
    total += streams;
  }
  if (total <= MAX_STREAMS_PER_MEMBER) return undefined;
  return `has ${total} streams in all, which is above the limit of ${MAX_STREAMS_PER_MEMBER}`;
}
