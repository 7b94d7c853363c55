import { internalTopics } from './assignment/internalTopics';
import { filterText, topicPattern, type TopicPattern } from './assignment/topicPattern';
import { shownValue } from './config/shownValue';
import { ConnectorError } from './errors';
import { wrongArguments } from './wrongArguments';

/** Marks filters, also across realms and copies of the package, where `instanceof` fails. */
const BRAND = Symbol.for('zookeeper-consumer-connector.TopicFilter');

/**
 * Which topics a member consumes, those included that are created later (kafka.consumer.TopicFilter). The text is a Java
 * regex for whole topic names, since members of the JVM evaluate it, too. As there, commas separate alternatives, and blanks
 * and quotes around it fall away. A dot matches any character: write `logs\.web` for the topic "logs.web".
 */
export abstract class TopicFilter {
  /** What is registered: the text as the JVM tidies it up. */
  readonly regex: string;
  /** @internal Its name in the registration. */
  abstract readonly pattern: 'white_list' | 'black_list';
  /** @internal */
  readonly [BRAND] = true;
  readonly #matcher: TopicPattern;

  /** @throws ConnectorError CONFIG_INVALID for what Java refuses, or what cannot be evaluated as Java does */
  constructor(regex: string) {
    const given: unknown = regex;
    if (typeof given !== 'string') {
      throw wrongArguments([`the regex of a topic filter must be a text, not ${shownValue(given)}`]);
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
  /** @internal */
  readonly pattern = 'white_list';
}

/** Takes the topics whose name does not match. */
export class Blacklist extends TopicFilter {
  /** @internal */
  readonly pattern = 'black_list';
}

export function isTopicFilter(value: unknown): value is TopicFilter {
  return typeof value === 'object' && value !== null && BRAND in value;
}
