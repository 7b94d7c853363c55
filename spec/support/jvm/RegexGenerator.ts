import { Draw } from '../Draw';

const CHARS = [...Array.from('aaaaabbbbbcABk12_-'), '\\.', '\\-', '\\_', 'ab', 'ab', 'a-b', '[ab]', '[ab]'];
/** Such as are in no topic name. */
const OTHER_CHARS = [']', '}', ':', '#', 'é', '😀', '~'];
const ESCAPES = [
  ...[
    '\\d',
    '\\D',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\h',
    '\\H',
    '\\v',
    '\\V',
    '\\t',
    '\\n',
    '\\r',
    '\\f',
    '\\a',
    '\\e',
  ],
  ...[
    '\\061',
    '\\0142',
    '\\07',
    '\\x61',
    '\\x{42}',
    '\\x{1F600}',
    '\\u0061',
    '\\u002e',
    '\\cA',
    '\\c!',
    '\\c"',
  ],
];
const PROPERTIES = [
  ...[
    'Lower',
    'Upper',
    'ASCII',
    'Alpha',
    'Digit',
    'Alnum',
    'Punct',
    'Graph',
    'Print',
    'Blank',
    'Cntrl',
    'XDigit',
  ],
  ...['Space', 'L', 'Lu', 'Ll', 'LC', 'Lo', 'N', 'Nd', 'P', 'Pc', 'Pd', 'Po', 'S', 'Z', 'IsL', 'IsNd', 'Cn'],
];
const ANCHORS = ['^', '$', '\\A', '\\z', '\\Z', '\\b', '\\b', '\\B', '\\G'];
const GROUPS = ['(', '(', '(?:', '(?:', '(?>', '(?>', '(?i:', '(?s-i:', '(?=', '(?!', '(?<=', '(?<!'];
const FLAGS = ['(?i)', '(?-i)', '(?s)', '(?m)', '(?d)', '(?u)', '(?U)', '(?is-m)', '(?x)', '(?)'];
const QUANTIFIERS = ['?', '*', '+', '{0}', '{1}', '{2}', '{3}'];
const QUOTED = ['a', '.', 'a.b', '1', 'a1-', '^]', 'b*', '\\', ''];
/** What a slip of the pen or another dialect puts in or leaves out. */
const NOISE = [
  ...Array.from('()[]{}?*+|^$.\\-&,"\'#:=!<>abdQEpuxk01 '),
  ...[
    '&&',
    '(?',
    '(?<',
    '[^',
    '[:alpha:]',
    '\\Q',
    '\\E',
    '\\p',
    '\\1',
    '\\k<n>',
    '{2,3}',
    '{2',
    '(?P<n>',
    '\\X',
    '\\N',
    '++',
  ],
];

/** Regexes by chance, the same for the same seed. They have all that Java's may have, and some have faults. */
export class RegexGenerator {
  readonly #draw: Draw;
  /** Names of groups so far, which must differ within a regex. */
  #names = 0;

  constructor(seed: number) {
    this.#draw = new Draw(seed);
  }

  /** One as it should be. */
  next(): string {
    this.#names = 0;
    return this.#choice(this.#draw.number(4));
  }

  /** One with some faults, of which not all are such. */
  nextMutated(): string {
    let regex = this.next();
    for (let count = 1 + this.#draw.number(3); count > 0; count--) {
      const at = this.#draw.number(regex.length + 1);
      const insert = this.#draw.number(3) === 0 ? '' : this.#draw.one(NOISE);
      regex = regex.slice(0, at) + insert + regex.slice(at + this.#draw.number(2));
    }
    return regex;
  }

  #choice(depth: number): string {
    const options = [1, 1, 1, 2, 2, 3][this.#draw.number(6)] ?? 1;
    return this.#repeated(options, () => this.#sequence(depth)).join('|');
  }

  #sequence(depth: number): string {
    return this.#repeated(this.#draw.number(4), () => this.#part(depth)).join('');
  }

  #part(depth: number): string {
    const kind = this.#draw.number(20);
    if (kind === 0) return this.#rarely(() => this.#draw.one(FLAGS));
    if (kind === 1) return this.#rarely(() => `\\Q${this.#draw.one(QUOTED)}\\E`);
    if (kind === 2) return this.#draw.one(ANCHORS);
    const atom = this.#atom(kind, depth);
    if (this.#draw.number(2) === 0) return atom;
    return `${atom}${this.#draw.one(QUANTIFIERS)}${this.#draw.one(['', '', '', '?', '+'])}`;
  }

  #atom(kind: number, depth: number): string {
    if (kind < 9 && depth > 0) return `${this.#opening()}${this.#choice(depth - 1)})`;
    if (kind < 11) return this.#class(2);
    if (kind < 13) return this.#draw.one(ESCAPES);
    if (kind < 14) return this.#property();
    if (kind < 17) return this.#draw.one(['.', '.', '.', '.', '\\R']);
    return this.#draw.one(this.#draw.number(15) === 0 ? OTHER_CHARS : CHARS);
  }

  #opening(): string {
    return this.#draw.number(15) === 0 ? `(?<n${this.#names++}>` : this.#draw.one(GROUPS);
  }

  #class(depth: number): string {
    const isNegated = this.#draw.number(4) === 0;
    // Releases of Java differ in what they make of a negated class that is not plain.
    const isPlain = isNegated && this.#draw.number(10) > 0;
    const first = this.#draw.one(['', '', '', '', '', ']', '^']);
    const items = this.#repeated(1 + this.#draw.number(3), () => this.#classItem(isPlain ? 0 : depth)).join(
      '',
    );
    const more = isPlain || this.#draw.number(5) > 0 ? '' : this.#intersection(depth);
    return `[${isNegated ? '^' : ''}${first}${items}${more}${this.#draw.one(['', '', '', '-'])}]`;
  }

  #intersection(depth: number): string {
    const operand = this.#draw.number(2) === 0 && depth > 0 ? this.#class(depth - 1) : this.#classItem(0);
    return `&&${operand}${this.#draw.number(8) === 0 ? '&b' : ''}`;
  }

  #classItem(depth: number): string {
    switch (this.#draw.number(9)) {
      case 0:
        return this.#draw.one(['a-c', 'A-Z', '0-9', '+-.', '\\x61-c', 'a-\\x7a', 'Z-a', '!-~']);
      case 1:
        return this.#draw.one(ESCAPES);
      case 2:
        return this.#property();
      case 3:
        return `\\Q${this.#draw.one(QUOTED)}\\E`;
      case 4:
        return depth > 0 ? this.#class(depth - 1) : 'c';
      default:
        return this.#draw.one(['a', 'a', 'b', 'c', 'B', '1', '2', '.', '_', '^', '\\-', '*', '|', 'é', '&a']);
    }
  }

  #property(): string {
    const sign = this.#draw.one(['p', 'p', 'P']);
    return this.#draw.number(5) === 0
      ? `\\${sign}${this.#draw.one(['L', 'N', 'P'])}`
      : `\\${sign}{${this.#draw.one(PROPERTIES)}}`;
  }

  #rarely(make: () => string): string {
    return this.#draw.number(2) === 0 ? make() : '';
  }

  #repeated(count: number, make: () => string): string[] {
    return Array.from({ length: count }, make);
  }
}
