import { types } from 'node:util';

import { shownValue } from '../config/shownValue';
import { didYouMean } from '../unknownNames';
import { excerpt } from '../excerpt';

/** So many are told at most: a call can have a million messages. */
const MOST_TOLD = 20;

/** Collects all that is wrong with the arguments of a call, so that it is refused with all of it. */
export class ArgumentFaults {
  /** Name of the call, such as "createTopic". */
  readonly #call: string;
  readonly #faults: string[] = [];
  #count = 0;

  constructor(call: string) {
    this.#call = call;
  }

  add(fault: string): this {
    this.#count += 1;
    if (this.#count <= MOST_TOLD) this.#faults.push(`${this.#call}: ${fault}`);
    return this;
  }

  /** @param right - what the value must be, such as "a text" */
  check(isRight: boolean, name: string, right: string, value: unknown): this {
    return isRight ? this : this.add(`${name} must be ${right}, not ${shownValue(value)}`);
  }

  text(name: string, value: unknown): this {
    return this.check(typeof value === 'string', name, 'a text', value);
  }

  wholeNumber(name: string, value: unknown, least: number, most = Number.MAX_SAFE_INTEGER): this {
    const isRight =
      typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
    const range = most >= Number.MAX_SAFE_INTEGER ? `from ${least} on` : `from ${least} to ${most}`;
    return this.check(isRight, name, `a whole number ${range}`, value);
  }

  oneOf(name: string, value: unknown, known: readonly string[]): this {
    if (typeof value === 'string' && known.includes(value)) return this;
    const hint = typeof value === 'string' ? hintFor(value, known) : undefined;
    if (hint !== undefined) return this.add(`${name} cannot be ${shownValue(value)}. ${hint}`);
    return this.add(`${name} must be ${alternatives(known)}, not ${shownValue(value)}`);
  }

  textOrPattern(name: string, value: unknown): this {
    const isRight = typeof value === 'string' || types.isRegExp(value);
    return this.check(isRight, name, 'a text or a RegExp', value);
  }

  /**
   * The fields of an object of options; null if it is none.
   *
   * @param known - names that mean something
   * @param right - what it must be, such as "an object such as { partitions: 4 }"
   */
  fields<K extends string>(
    name: string,
    value: unknown,
    known: readonly K[],
    right: string,
  ): Readonly<Partial<Record<K, unknown>>> | null {
    const entries = this.entries(name, value, right);
    if (entries === null) return null;
    for (const [field] of entries) {
      if (known.some((one) => one === field)) continue;
      const hint = hintFor(field, known);
      const names = hint === undefined ? `; there are ${known.join(', ')}` : `. ${hint}`;
      this.add(`${excerpt(field)} is none of the names in ${name}${names}`);
    }
    return Object.fromEntries(entries) as Partial<Record<K, unknown>>;
  }

  /** Names and values of an object; null if it is none. */
  entries(name: string, value: unknown, right: string): readonly [string, unknown][] | null {
    const isObject = Object.prototype.toString.call(value) === '[object Object]';
    this.check(isObject, name, right, value);
    return isObject ? Object.entries(value as object) : null;
  }

  /** @throws TypeError with all faults, if there is one */
  refuse(): void {
    if (this.#count > 0) throw this.asError();
  }

  /** A line for each fault. */
  asError(): TypeError {
    const untold = this.#count - this.#faults.length;
    const more = untold === 0 ? [] : [`${this.#call}: and ${untold} more`];
    return new TypeError([...this.#faults, ...more].join('\n'));
  }
}

/** A beginning stands for the whole name, too: `broker` for `brokerId`. */
function hintFor(name: string, known: readonly string[]): string | undefined {
  const whole = name === '' ? undefined : known.find((one) => one.startsWith(name));
  return whole === undefined ? didYouMean(name, known) : `Did you mean ${excerpt(whole)}?`;
}

/** `"a", "b" or "c"`. */
function alternatives(known: readonly string[]): string {
  const quoted = known.map((one) => excerpt(one));
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].filter((part) => part !== '').join(' or ');
}
