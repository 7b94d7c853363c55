/** A text in one file of lib, which must be there exactly once, and what stands there instead. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** The one spec that must fail. */
export interface NamedSpec {
  /** From spec/ on; its first folder is the name of the jest project. */
  readonly file: string;
  /** Titles of the describe blocks and of the test, with a blank between. */
  readonly test: string;
}

/** A fault that somebody could make, and the spec that would notice. */
export interface Mutation {
  /** What the code does with the fault in it. */
  readonly fault: string;
  readonly edits: readonly Edit[];
  readonly spec: NamedSpec;
}

/** How often a text is in another one. */
export function timesIn(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** The text with the edit made; throws if what is to be replaced is not there exactly once. */
export function edited(text: string, { file, find, replace }: Edit): string {
  const times = timesIn(text, find);
  if (times !== 1) throw new Error(`${file} has ${times} times instead of once:\n${find}`);
  return text.replace(find, () => replace);
}
