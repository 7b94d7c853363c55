import { readEscape } from './readEscape';
import type { RegexFlags } from './RegexFlags';
import type { RegexReader } from './RegexReader';
import { charsBetween, complement, intersection, union, type TopicChars } from './topicChars';

/** How deep classes may be nested. Nobody needs more than two; the stack must not overflow. */
const MAX_DEPTH = 50;

/** Reads `[...]`; the reader is at the bracket. */
export function readClass(reader: RegexReader, flags: RegexFlags): TopicChars {
  return new ClassReader(reader, flags).read(1);
}

class ClassReader {
  readonly #reader: RegexReader;
  readonly #flags: RegexFlags;

  constructor(reader: RegexReader, flags: RegexFlags) {
    this.#reader = reader;
    this.#flags = flags;
  }

  read(depth: number): TopicChars {
    const reader = this.#reader;
    const start = reader.at;
    if (depth > MAX_DEPTH) reader.refuse(`classes are nested deeper than ${MAX_DEPTH} levels`, start);
    reader.skip('[');
    const isNegated = reader.skip('^');
    const { chars, isPlain } = this.#readBody(depth, start);
    reader.skip(']');
    if (isNegated && !isPlain) {
      reader.refuse('Java 8 and later ones disagree what is negated: the first part only, or all', start);
    }
    return isNegated ? complement(chars) : chars;
  }

  /** All up to the closing bracket; it is plain if there is neither a nested class nor an intersection in it. */
  #readBody(depth: number, start: number): { chars: TopicChars; isPlain: boolean } {
    const reader = this.#reader;
    let chars: TopicChars | null = null;
    let isPlain = true;
    // A bracket that closes nothing yet is a character.
    while (chars === null || !reader.sees(']')) {
      if (reader.isAtEnd) reader.refuse('this class is not closed', start);
      if (reader.sees('[')) {
        chars = union(chars ?? '', this.read(depth + 1));
        isPlain = false;
      } else if (reader.skip('&&')) {
        const left = chars ?? reader.refuse('there is nothing before the &&', start);
        chars = intersection(left, this.#readRightOperand(depth, start));
        isPlain = false;
      } else {
        chars = union(chars ?? '', this.#readItem());
      }
    }
    return { chars, isPlain };
  }

  #readRightOperand(depth: number, start: number): TopicChars {
    const reader = this.#reader;
    if (reader.sees(']') || reader.sees('&')) reader.refuse('there is nothing behind the &&', start);
    if (!reader.sees('[')) {
      if (depth >= MAX_DEPTH) reader.refuse(`more than ${MAX_DEPTH} parts are joined by &&`, start);
      return this.#readBody(depth + 1, start).chars;
    }
    let chars: TopicChars = '';
    while (reader.sees('[')) chars = union(chars, this.read(depth + 1));
    if (!reader.sees(']') && !reader.sees('&&')) {
      reader.refuse('Java 8 and later ones disagree about what follows a nested class behind an &&', start);
    }
    return chars;
  }

  /** One character, a range, or an escape that stands for a class. */
  #readItem(): TopicChars {
    const reader = this.#reader;
    const start = reader.at;
    const { ignoreCase } = this.#flags;
    // As the start of a range it is the tab.
    if (reader.sees('\\v-')) reader.refuse('Java does not take this \\v as a class', start);
    const first = this.#readEnd();
    if (typeof first === 'string') return first;
    let last = first;
    if (reader.take(/-(?=[^[\]])/uy) !== null) {
      const end = this.#readEnd();
      if (typeof end === 'string') return reader.refuse('this range has a class as its end', start);
      if (end < first) reader.refuse('this range ends before its start', start);
      last = end;
    }
    if (this.#flags.isUnclear(first) || this.#flags.isUnclear(last)) {
      reader.refuse('letters beyond ASCII cannot be compared without regard to case as Java does', start);
    }
    return charsBetween(first, last, ignoreCase);
  }

  /** One end of a range, as its code point; or a class. */
  #readEnd(): number | TopicChars {
    if (!this.#reader.sees('\\')) return this.#reader.takeChar().codePointAt(0) ?? 0;
    const escape = readEscape(this.#reader, this.#flags.ignoreCase);
    return 'code' in escape ? escape.code : escape.chars;
  }
}
