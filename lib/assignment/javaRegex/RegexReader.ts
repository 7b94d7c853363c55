import { excerpt } from '../../excerpt';
import { RefusedRegex } from './RefusedRegex';

/** Goes through the text of a regex from its start to its end. */
export class RegexReader {
  readonly text: string;
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** Whether this text comes next. */
  sees(text: string): boolean {
    return this.text.startsWith(text, this.#at);
  }

  /** Goes on behind this text if it comes next. */
  skip(text: string): boolean {
    const isNext = this.sees(text);
    if (isNext) this.#at += text.length;
    return isNext;
  }

  /** Goes on behind what a regex with the flags `uy` matches here; null if it does not. */
  take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.text);
    if (match !== null) this.#at += match[0].length;
    return match;
  }

  /** The next character, by code points as Java counts them; '' at the end. */
  takeChar(): string {
    return this.take(/./suy)?.[0] ?? '';
  }

  /** What was read since `start`. */
  since(start: number): string {
    return this.text.slice(start, this.#at);
  }

  /** Refuses the regex for the part since `start`, or for what comes next if nothing was read since. */
  refuse(why: string, start: number): never {
    const part = this.#at > start ? this.since(start) : this.text.slice(start, start + 10);
    throw new RefusedRegex(part === '' ? why : `${excerpt(part)}: ${why}`);
  }
}
