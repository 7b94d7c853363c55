import { RefusedRegex } from './RefusedRegex';
import { readClass } from './readClass';
import { readEscape } from './readEscape';
import { RegexFlags } from './RegexFlags';
import { RegexReader } from './RegexReader';
import { type AnchorNode, type LookNode, type RegexNode, type RepeatNode } from './regexTree';
import { ALL_TOPIC_CHARS, charsBetween, LONGEST_TOPIC } from './topicChars';
import { withoutQuotes } from './withoutQuotes';

/** How long a regex may be, in characters. A list of hundreds of topics fits; what is longer would take the engine seconds. */
const MAX_LENGTH = 20_000;

/** How deep groups may be nested: the stack must not overflow, here or in the engine. */
const MAX_DEPTH = 100;

/** There are no line ends in topic names, so the three ends are one, with and without the flag m. */
const ANCHORS: Readonly<Record<string, AnchorNode['text']>> = {
  ...{ '^': '^', '\\A': '^', '\\G': '^' },
  ...{ $: '$', '\\z': '$', '\\Z': '$' },
  ...{ '\\b': '\\b', '\\B': '\\B' },
};

/**
 * Reads the regex as java.util.regex does, from 8 to 17.
 *
 * @throws RefusedRegex if one of those refuses it, if they disagree about it, or if it is not supported here
 */
export function parseJavaRegex(regex: string): RegexNode {
  if (regex.length > MAX_LENGTH) throw new RefusedRegex(`it has more than ${MAX_LENGTH} characters`);
  if (regex.includes('\0')) throw new RefusedRegex('there is a character NUL in it');
  return new RegexParser(new RegexReader(withoutQuotes(regex))).parse();
}

class RegexParser {
  readonly #reader: RegexReader;
  /** Those that hold from here to the end of the group. */
  #flags = new RegexFlags();
  /** Number of groups that are open. */
  #depth = 0;
  readonly #names = new Set<string>();

  constructor(reader: RegexReader) {
    this.#reader = reader;
  }

  parse(): RegexNode {
    const tree = this.#parseChoice();
    if (!this.#reader.isAtEnd) this.#reader.refuse('there is no group that this closes', this.#reader.at);
    return tree;
  }

  #parseChoice(): RegexNode {
    const options: RegexNode[] = [];
    do options.push(this.#parseSequence());
    while (this.#reader.skip('|'));
    const [only] = options;
    return only !== undefined && options.length === 1 ? only : { kind: 'choice', options };
  }

  #parseSequence(): RegexNode {
    const parts: RegexNode[] = [];
    while (!this.#reader.isAtEnd && !this.#reader.sees('|') && !this.#reader.sees(')')) {
      const start = this.#reader.at;
      const part = this.#parseAtom();
      if (part !== null) parts.push(this.#parseQuantifier(part, start));
    }
    return { kind: 'sequence', parts };
  }

  /** What a quantifier would repeat; null for flags, which are no such thing. */
  #parseAtom(): RegexNode | null {
    const reader = this.#reader;
    const start = reader.at;
    if (reader.sees('(')) return this.#parseGroup();
    if (reader.sees('[')) return { kind: 'chars', chars: readClass(reader, this.#flags) };
    if (reader.skip('.')) return { kind: 'chars', chars: ALL_TOPIC_CHARS };
    if (/[*+?{]/.test(reader.text.charAt(start))) {
      reader.refuse('there is nothing that this could repeat', start);
    }
    const anchor = reader.take(/[$^]|\\[AGzZbB]/uy)?.[0];
    if (anchor !== undefined) return { kind: 'anchor', text: ANCHORS[anchor] ?? '^' };
    // Line ends: none of them is in a topic name.
    if (reader.skip('\\R')) return { kind: 'chars', chars: '' };
    return this.#parseCharacter(start);
  }

  #parseCharacter(start: number): RegexNode {
    const reader = this.#reader;
    const { ignoreCase } = this.#flags;
    const escape = reader.sees('\\')
      ? readEscape(reader, ignoreCase)
      : { code: reader.takeChar().codePointAt(0) ?? 0 };
    if ('chars' in escape) return { kind: 'chars', chars: escape.chars };
    const { code } = escape;
    if (this.#flags.isUnclear(code)) {
      reader.refuse('a letter beyond ASCII cannot be compared without regard to case as Java does', start);
    }
    return { kind: 'chars', chars: charsBetween(code, code, ignoreCase) };
  }

  #parseQuantifier(body: RegexNode, start: number): RegexNode {
    const reader = this.#reader;
    const quantifier = reader.take(/[?*+]|\{([0-9]+)\}/uy);
    if (quantifier === null) {
      if (reader.sees('{')) this.#refuseBrace();
      return body;
    }
    const [sign, digits] = quantifier;
    const count = Number(digits ?? 0);
    if (count > LONGEST_TOPIC) {
      reader.refuse(`no topic name is longer than ${LONGEST_TOPIC} characters`, start);
    }
    const [min, max] =
      digits === undefined ? [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity] : [count, count];
    const mode: RepeatNode['mode'] = reader.skip('?') ? 'lazy' : reader.skip('+') ? 'possessive' : 'greedy';
    return { kind: 'repeat', body, min, max, mode, text: reader.since(start) };
  }

  #refuseBrace(): never {
    const start = this.#reader.at;
    const withBar = this.#reader.take(/\{[0-9]*\|[0-9]*\}/uy);
    return this.#reader.refuse(
      withBar === null
        ? 'this is no number of repetitions; for the character { itself write \\{'
        : 'in a topic filter a comma separates alternatives, also between braces, so only {n} can be written',
      start,
    );
  }

  /** The reader is at the parenthesis. */
  #parseGroup(): RegexNode | null {
    const reader = this.#reader;
    const start = reader.at;
    const flagsBefore = this.#flags;
    const opening = this.#parseOpening(start);
    if (opening === null) return null;
    this.#depth++;
    if (this.#depth > MAX_DEPTH) reader.refuse(`groups are nested deeper than ${MAX_DEPTH} levels`, start);
    const body = this.#parseChoice();
    if (!reader.skip(')')) reader.refuse('this group is not closed', start);
    this.#depth--;
    this.#flags = flagsBefore;
    if (opening === 'group') return { kind: 'group', body };
    return opening === 'atomic' ? { kind: 'atomic', body } : { kind: 'look', opening, body };
  }

  /** What kind of group begins; null for flags that hold from here on. */
  #parseOpening(start: number): 'group' | 'atomic' | LookNode['opening'] | null {
    const reader = this.#reader;
    const look = reader.take(/\(\?<?[=!]/uy)?.[0];
    if (look !== undefined) return look as LookNode['opening'];
    if (reader.skip('(?>')) return 'atomic';
    if (reader.skip('(?<')) {
      this.#parseName(start);
      return 'group';
    }
    if (!reader.skip('(?')) {
      reader.skip('(');
      return 'group';
    }
    this.#flags = this.#flags.changedBy(reader, start);
    if (reader.skip(':')) return 'group';
    if (!reader.skip(')')) reader.refuse('Java knows no such group', start);
    return null;
  }

  #parseName(start: number): void {
    const name = this.#reader.take(/([a-zA-Z][a-zA-Z0-9]*)>/uy)?.[1];
    if (name === undefined) {
      this.#reader.refuse(
        'the name of a group is a letter of ASCII, then letters and digits, then a >',
        start,
      );
    }
    if (this.#names.has(name)) this.#reader.refuse('two groups have this name', start);
    this.#names.add(name);
  }
}
