import { excerpt } from '../../excerpt';
import { matchingSteps } from './matchingSteps';
import { parseJavaRegex } from './parseJavaRegex';
import { RefusedRegex } from './RefusedRegex';
import type { RegexNode } from './regexTree';
import { toJavaScript } from './toJavaScript';
import { LONGEST_TOPIC } from './topicChars';
import { finishesWithin } from './finishesWithin';

/** Up to so many steps for one topic, which take about a millisecond at most, nobody needs to watch the time. */
const STEPS_UNWATCHED = 100_000;

/** What a regex may take of each period, so that the rest of the process goes on. */
const LIMIT_MS = 500;
const PERIOD_MS = 10_000;

/** What watching the time may cost itself, for one topic; it is not counted. */
const WATCH_MS = 0.2;

/** How many results are kept. */
const MAX_RESULTS = 50_000;

/** A Java regex (java.util.regex, from 8 to 17) that is matched with whole topic names. */
export class JavaPattern {
  readonly #regexp: RegExp;
  /** Matching a longer topic might take long. */
  readonly #unwatchedLength: number;
  /** By topic, if it is longer. */
  readonly #results = new Map<string, boolean>();
  /** When the current period has begun, by performance.now(), and what the regex has taken in it. */
  #periodStart = 0;
  #takenMs = 0;

  /** @throws RefusedRegex if Java refuses it, or if it cannot be evaluated exactly as there */
  constructor(regex: string) {
    const tree = parseJavaRegex(regex);
    this.#unwatchedLength = unwatchedLength(tree);
    this.#regexp = byEngine(() => new RegExp(`^(?:${toJavaScript(tree)})$`));
  }

  /**
   * Whether the whole name matches.
   *
   * @throws RefusedRegex if the regex takes too long
   */
  matches(topic: string): boolean {
    if (topic.length <= this.#unwatchedLength) return byEngine(() => this.#regexp.test(topic));
    const known = this.#results.get(topic);
    if (known !== undefined) return known;
    const isMatch = this.#matchInTime(topic);
    if (this.#results.size >= MAX_RESULTS) this.#results.clear();
    this.#results.set(topic, isMatch);
    return isMatch;
  }

  #matchInTime(topic: string): boolean {
    const start = performance.now();
    if (start - this.#periodStart > PERIOD_MS) {
      this.#periodStart = start;
      this.#takenMs = 0;
    }
    let isMatch = false;
    const isDone = finishesWithin(LIMIT_MS - this.#takenMs, () => {
      isMatch = byEngine(() => this.#regexp.test(topic));
    });
    this.#takenMs += Math.max(0, performance.now() - start - WATCH_MS);
    if (!isDone) {
      throw new RefusedRegex(`it takes longer than ${LIMIT_MS} ms to match, at the topic ${excerpt(topic)}`);
    }
    return isMatch;
  }
}

/** The longest topic, by these lengths, that is sure to take few steps. */
function unwatchedLength(tree: RegexNode): number {
  const lengths = [LONGEST_TOPIC, 128, 64, 32, 16];
  return lengths.find((length) => matchingSteps(tree, length) <= STEPS_UNWATCHED) ?? 0;
}

/** The engine refuses what is too large for it when the regex is made, or at the first match. */
function byEngine<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RefusedRegex || !(error instanceof Error)) throw error;
    // The message begins with the whole regex.
    const reason = error.message.replace(/^.*: /s, '');
    throw new RefusedRegex(`it is too much for the engine of JavaScript (${reason})`, { cause: error });
  }
}
