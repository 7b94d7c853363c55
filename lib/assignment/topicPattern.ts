import { ConnectorError } from '../errors';
import { excerpt } from '../excerpt';
import { javaTrim } from '../javaTrim';
import { JavaPattern } from './javaRegex/JavaPattern';
import { RefusedRegex } from './javaRegex/RefusedRegex';

/** Tells which topics the regex of a filter matches. */
export interface TopicPattern {
  /**
   * Whether the whole name of a topic matches.
   *
   * @throws ConnectorError REGISTRATION_INVALID if that takes too long
   */
  test(topic: string): boolean;
}

/** How many regexes are kept: those of a group with a filter of its own for each of its members. */
const MAX_PATTERNS = 2000;

/** By their text, least recently used first: each rebalance asks for those of all members again. */
const patterns = new Map<string, JavaPattern>();

/**
 * The matcher for a wildcard subscription, as registered. What comes out is exactly what members of the JVM find with
 * java.util.regex: a member that evaluates a peer's regex differently claims partitions that belong to others.
 *
 * @param path - of the registration, for errors
 * @throws ConnectorError REGISTRATION_INVALID for a regex that Java refuses, or that cannot be evaluated as there
 */
export function topicPattern(subscribed: string, path?: string): TopicPattern {
  // Members of the JVM tidy up what they read in a registration, too.
  const text = filterText(subscribed);
  const pattern = orRefused(subscribed, path, () => patternOf(text));
  return { test: (topic) => orRefused(subscribed, path, () => pattern.matches(topic)) };
}

/**
 * What the JVM makes of a filter's text before it takes it as a regex: commas separate alternatives, blanks and the quotes
 * of property files fall away.
 */
export function filterText(raw: string): string {
  return (
    javaTrim(raw)
      .replaceAll(',', '|')
      .replaceAll(' ', '')
      .replace(/^["']+/, '')
      // For Java the end is also before these line ends. A long row of quotes is tried once only, from its start.
      .replace(/(?<!["'])["']+(?=[\u0085\u2028\u2029]?$)/, '')
  );
}

/** Whether a member's filter was refused, which other members may well take. */
export function isRefusedFilter(error: unknown): boolean {
  return ConnectorError.is(error) && error.cause instanceof RefusedRegex;
}

function patternOf(text: string): JavaPattern {
  const pattern = patterns.get(text) ?? new JavaPattern(text);
  patterns.delete(text);
  patterns.set(text, pattern);
  for (const oldest of patterns.keys()) {
    if (patterns.size <= MAX_PATTERNS) break;
    patterns.delete(oldest);
  }
  return pattern;
}

function orRefused<T>(subscribed: string, path: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RefusedRegex)) throw error;
    throw new ConnectorError(
      'REGISTRATION_INVALID',
      `The topic filter ${excerpt(subscribed)}${path === undefined ? '' : ` in ${path}`} ` +
        `cannot be evaluated as a JVM member does: ${error.message}`,
      { ...(path === undefined ? {} : { path }), cause: error },
    );
  }
}
