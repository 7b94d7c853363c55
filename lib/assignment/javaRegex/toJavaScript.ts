import { excerpt } from '../../excerpt';
import { lengthBehind, looksAround, mayBeEmpty } from './nodeLength';
import { RefusedRegex } from './RefusedRegex';
import { isOptional, type RegexNode, type RepeatNode } from './regexTree';
import { ALL_TOPIC_CHARS, type TopicChars } from './topicChars';

/**
 * The source of a JavaScript regex that matches the same topic names.
 *
 * @throws RefusedRegex if there is none
 */
export function toJavaScript(tree: RegexNode): string {
  return new JavaScriptWriter().write(tree, false);
}

class JavaScriptWriter {
  /** Number of atomic groups so far; the only ones that capture. */
  #atomicGroups = 0;

  /**
   * @param onlyFirst - whether the node is in an atomic group, so that the order counts in which its ways to match are
   *   tried, and not only which there are
   */
  write(node: RegexNode, onlyFirst: boolean): string {
    switch (node.kind) {
      case 'chars':
        return classOf(node.chars);
      case 'anchor':
        return node.text;
      case 'look':
        if (node.opening.startsWith('(?<')) lengthBehind(node.body);
        return `${node.opening}${this.write(node.body, false)})`;
      case 'sequence':
        return node.parts.map((part) => this.write(part, onlyFirst)).join('');
      case 'choice':
        return node.options.map((option) => this.write(option, onlyFirst)).join('|');
      case 'group':
        return `(?:${this.write(node.body, onlyFirst)})`;
      case 'atomic':
        return this.#atomic(node.body);
      case 'repeat':
        return node.mode === 'possessive' ? this.#possessive(node) : this.#repeat(node, onlyFirst);
    }
  }

  /** A look-ahead is atomic; what it has captured is then consumed. */
  #atomic(node: RegexNode): string {
    const name = `atomic${++this.#atomicGroups}`;
    return `(?=(?<${name}>${this.write(node, true)}))\\k<${name}>`;
  }

  /** In Java each single repetition is atomic as well. */
  #possessive(node: RepeatNode): string {
    const body: RegexNode = node.body.kind === 'group' ? { kind: 'atomic', body: node.body } : node.body;
    return this.#atomic({ ...node, body, mode: 'greedy' });
  }

  #repeat(node: RepeatNode, onlyFirst: boolean): string {
    if (node.body.kind === 'group') checkEmptyRepetitions(node, onlyFirst);
    const body = this.write(node.body, onlyFirst);
    const isLazy = node.mode === 'lazy';
    // JavaScript would not let the optional part match nothing, for which it may have its place in the order.
    if (isOptional(node)) return isLazy ? `(?:|${body})` : `(?:${body}|)`;
    const count = node.max === Infinity ? (node.min === 0 ? '*' : '+') : `{${node.min}}`;
    return `${node.body.kind === 'chars' ? body : `(?:${body})`}${count}${isLazy ? '?' : ''}`;
  }
}

/**
 * A repetition that matches nothing ends the repeating of a group in Java, however many were asked for. In JavaScript it
 * counts up to the number that was asked for, and is not taken behind that.
 */
function checkEmptyRepetitions(node: RepeatNode, onlyFirst: boolean): void {
  if (isOptional(node) || !mayBeEmpty(node.body)) return;
  if (onlyFirst) {
    throw new RefusedRegex(
      `${excerpt(node.text)}: a repeated group that may match nothing, within an atomic group, is not supported`,
    );
  }
  if (node.min > 1 && looksAround(node.body)) {
    throw new RefusedRegex(
      `${excerpt(node.text)}: Java ends counted repetitions at the first one that matches nothing; that is not supported ` +
        'for a group with an anchor or a look-around',
    );
  }
}

function classOf(chars: TopicChars): string {
  if (chars === ALL_TOPIC_CHARS) return '.';
  if (chars.length === 1) return literal(chars);
  return `[${rangesOf(chars).join('')}]`;
}

/** Of characters in the order of their code. */
function rangesOf(chars: TopicChars): string[] {
  const ranges: { first: string; last: string }[] = [];
  for (const char of chars) {
    const range = ranges.at(-1);
    if (range !== undefined && range.last.charCodeAt(0) + 1 === char.charCodeAt(0)) range.last = char;
    else ranges.push({ first: char, last: char });
  }
  return ranges.map(({ first, last }) => (first === last ? literal(first) : `${literal(first)}-${last}`));
}

function literal(char: string): string {
  return char === '.' || char === '-' ? `\\${char}` : char;
}
