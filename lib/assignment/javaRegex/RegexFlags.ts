import type { RegexReader } from './RegexReader';

/** The flags of a part of a regex, `(?i)` and others, as far as they change what it says about topic names. */
export class RegexFlags {
  /** `i`: letters of ASCII match in both cases. */
  readonly ignoreCase: boolean;
  /** `u`, which is part of `U`: with `i` also letters beyond ASCII do. */
  readonly #unicodeCase: boolean;

  constructor(ignoreCase = false, unicodeCase = false) {
    this.ignoreCase = ignoreCase;
    this.#unicodeCase = unicodeCase;
  }

  /** Whether it cannot be told which topic characters match this one: some letters beyond ASCII have their pair in it. */
  isUnclear(code: number): boolean {
    return this.ignoreCase && this.#unicodeCase && code > 0x7f;
  }

  /** These flags with the changes that come next, such as `i`, `-i` or `is-x`. */
  changedBy(reader: RegexReader, start: number): RegexFlags {
    const [, on = '', off = ''] = reader.take(/([a-zA-Z]*)(?:-([a-zA-Z]*))?/uy) ?? [];
    const other = /[^imsduUx]/.exec(on + off);
    if (other !== null) reader.refuse(`${other[0]} is no flag that all releases of Java know`, start);
    // Lines, which m, s and d are about, are of no matter: there are no line ends in topic names.
    if (on.includes('x') && /[\t-\r #]/.test(reader.text)) {
      reader.refuse('with white space or a # in the regex the flag x is not supported', start);
    }
    const after = (isOn: boolean, flags: RegExp): boolean => !flags.test(off) && (isOn || flags.test(on));
    return new RegexFlags(after(this.ignoreCase, /i/), after(this.#unicodeCase, /[uU]/));
  }
}
