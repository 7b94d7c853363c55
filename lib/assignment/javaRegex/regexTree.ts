import type { TopicChars } from './topicChars';

/** A Java regex that was read, as far as it matters for whole topic names. */
export type RegexNode =
  | CharsNode
  | AnchorNode
  | LookNode
  | RepeatNode
  | { readonly kind: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly kind: 'choice'; readonly options: readonly RegexNode[] }
  /** `(...)`, `(?<name>...)`, `(?:...)` or `(?i:...)`: nothing refers to what it has captured. */
  | { readonly kind: 'group'; readonly body: RegexNode }
  /** `(?>...)`: of the ways in which the body matches only the first one counts. */
  | { readonly kind: 'atomic'; readonly body: RegexNode };

/** One character; none at all fits if there are no characters of topic names among those that would. */
export interface CharsNode {
  readonly kind: 'chars';
  readonly chars: TopicChars;
}

/** The start or end of the name, or (not) the edge of a word. In JavaScript they mean the same. */
export interface AnchorNode {
  readonly kind: 'anchor';
  readonly text: '^' | '$' | '\\b' | '\\B';
}

export interface LookNode {
  readonly kind: 'look';
  readonly opening: '(?=' | '(?!' | '(?<=' | '(?<!';
  readonly body: RegexNode;
}

export interface RepeatNode {
  readonly kind: 'repeat';
  readonly body: RegexNode;
  readonly min: number;
  /** 1 for `?`, Infinity for `*` and `+`, else the same as `min`. */
  readonly max: number;
  readonly mode: 'greedy' | 'lazy' | 'possessive';
  /** As it was written, for messages. */
  readonly text: string;
}

/** Whether it is the quantifier `?`, which Java takes as a choice and not as a loop. */
export function isOptional({ min, max }: RepeatNode): boolean {
  return min === 0 && max === 1;
}
