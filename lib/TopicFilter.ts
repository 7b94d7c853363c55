import { types } from 'node:util';

import { internalTopics } from './assignment/internalTopics';
import { filterText, topicPattern, type TopicPattern } from './assignment/topicPattern';
import { shownValue } from './config/shownValue';
import { ConnectorError } from './errors';
import { wrongArguments } from './wrongArguments';

/** Marks filters, also across realms and copies of the package, where `instanceof` fails. */
const BRAND = Symbol.for('zookeeper-consumer-connector.TopicFilter');

/**
 * Which topics a member consumes, those included that are created later (kafka.consumer.TopicFilter): a {@link Whitelist} or a
 * {@link Blacklist}. The text is a Java regex for whole topic names, since members of the JVM evaluate it, too. As there,
 * commas separate alternatives, and blanks and quotes around it fall away. A dot matches any character: write `logs\.web` for
 * the topic "logs.web". All members see the regex alone, so there is nothing to override.
 */
export abstract class TopicFilter {
  /** What is registered: the text as the JVM tidies it up. */
  readonly regex: string;
  /** Its kind, by the name in the registration. */
  abstract readonly pattern: 'white_list' | 'black_list';
  /** @internal */
  readonly [BRAND] = true;
  readonly #matcher: TopicPattern;

  /** @throws ConnectorError CONFIG_INVALID for what Java refuses, or what cannot be evaluated as Java does */
  constructor(regex: string) {
    const given: unknown = regex;
    if (typeof given !== 'string') {
      const hint = types.isRegExp(given) ? ': pass its source, which has to be a regex of Java' : '';
      throw wrongArguments([`the regex of a topic filter must be a text, not ${shownValue(given)}${hint}`]);
    }
    this.regex = filterText(given);
    if (this.regex === '') throw wrongArguments(['the regex of a topic filter must not be empty']);
    try {
      this.#matcher = topicPattern(this.regex);
    } catch (error) {
      throw ConnectorError.is(error) ? wrongArguments([error.message]) : error;
    }
  }

  /**
   * Whether the filter takes this topic; `excludeInternalTopics` is the property `exclude.internal.topics`.
   *
   * @throws ConnectorError REGISTRATION_INVALID if the regex takes too long, which exponential ones can
   */
  isTopicAllowed(topic: string, excludeInternalTopics = true): boolean {
    if (excludeInternalTopics && internalTopics.includes(topic)) return false;
    return this.#matcher.test(topic) === (this.pattern === 'white_list');
  }
}

/** Takes the topics whose whole name matches. */
export class Whitelist extends TopicFilter {
  readonly pattern = 'white_list';
}

/** Takes the topics whose name does not match. */
export class Blacklist extends TopicFilter {
  readonly pattern = 'black_list';
}

/** Whether it is one of the two, and evaluates its regex as all members of the group do. */
export function isTopicFilter(value: unknown): value is TopicFilter {
  if (typeof value !== 'object' || value === null || !(BRAND in value)) return false;
  const { pattern, regex } = value as { readonly pattern?: unknown; readonly regex?: unknown };
  const isKnown = pattern === 'white_list' || pattern === 'black_list';
  return isKnown && typeof regex === 'string' && !isOverridden(value, 'isTopicAllowed');
}

/** Whether a subclass, or the object itself, has its own method instead of that of the base class. */
function isOverridden(value: object, method: string): boolean {
  const owners: object[] = [];
  for (let at: object | null = value; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    if (Object.hasOwn(at, method)) owners.push(at);
  }
  return owners.length > 1;
}
