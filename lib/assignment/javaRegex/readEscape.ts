import type { RegexReader } from './RegexReader';
import { complement, isClosedUnderCase, topicChars, type TopicChars } from './topicChars';
import { unicodeProperty } from './unicodeProperties';

/** A backslash with what belongs to it: a code point, or a class of characters. */
export type Escape = { readonly code: number } | { readonly chars: TopicChars };

const CONTROL_CODES: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };

const DIGITS = topicChars((char) => /\d/.test(char));
const WORD = topicChars((char) => /\w/.test(char));

/** White space of any kind is in no topic name. */
const CLASSES: Readonly<Record<string, TopicChars>> = {
  d: DIGITS,
  D: complement(DIGITS),
  w: WORD,
  W: complement(WORD),
  ...{ s: '', S: complement('') },
  ...{ h: '', H: complement('') },
  ...{ v: '', V: complement('') },
};

/** Reads what means the same within a class and outside of one; the reader is at the backslash. */
export function readEscape(reader: RegexReader, ignoreCase: boolean): Escape {
  const start = reader.at;
  reader.skip('\\');
  if (reader.isAtEnd) reader.refuse('there is nothing behind the last backslash', start);
  if (reader.sees('p') || reader.sees('P')) return { chars: readProperty(reader, start, ignoreCase) };
  const char = reader.takeChar();
  switch (char) {
    case '0':
      return { code: readNumber(reader, start, /([0-3][0-7]{2}|[0-7]{1,2})/uy, 8) };
    case 'x':
      return { code: readNumber(reader, start, /([0-9a-f]{2})|\{([0-9a-f]+)\}/iuy, 16) };
    case 'u':
      return { code: readUtf16(reader, start) };
    case 'c':
      return { code: (reader.take(/./suy)?.[0].codePointAt(0) ?? unfinished(reader, start)) ^ 64 };
    default:
      break;
  }
  if (/^[1-9k]$/.test(char)) {
    reader.refuse(
      'what a group has matched is not kept here as it is in Java, so nothing can refer to it',
      start,
    );
  }
  if (Object.hasOwn(CLASSES, char)) return { chars: CLASSES[char] ?? '' };
  const code = Object.hasOwn(CONTROL_CODES, char) ? CONTROL_CODES[char] : undefined;
  if (code !== undefined) return { code };
  if (/^[a-zA-Z]$/.test(char)) reader.refuse('Java (all of 8 to 17) knows no such escape here', start);
  return { code: char.codePointAt(0) ?? unfinished(reader, start) };
}

function readProperty(reader: RegexReader, start: number, ignoreCase: boolean): TopicChars {
  const match = reader.take(/([pP])(?:\{([^}]+)\}|([^{]))/uy);
  const [, letter, inBraces, single] = match ?? [];
  const name = inBraces ?? single ?? unfinished(reader, start);
  const chars =
    unicodeProperty(name) ?? reader.refuse('a property that is not known here, or not to Java', start);
  if (ignoreCase && !isClosedUnderCase(chars)) {
    reader.refuse('without regard to case the releases of Java read this property differently', start);
  }
  return letter === 'P' ? complement(chars) : chars;
}

function readUtf16(reader: RegexReader, start: number): number {
  const code = readNumber(reader, start, /([0-9a-f]{4})/iuy, 16);
  if (code >= 0xd800 && code <= 0xdfff) {
    reader.refuse('half of a character; write it as a whole, as \\x{1F600}', start);
  }
  return code;
}

function readNumber(reader: RegexReader, start: number, digits: RegExp, radix: number): number {
  const match = reader.take(digits);
  const code = Number.parseInt(match?.[1] ?? match?.[2] ?? unfinished(reader, start), radix);
  return code <= 0x10ffff ? code : reader.refuse('there is no such character', start);
}

function unfinished(reader: RegexReader, start: number): never {
  return reader.refuse('this escape is not complete', start);
}
