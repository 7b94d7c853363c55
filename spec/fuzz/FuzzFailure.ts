/** The code under test has done what it must not. */
export class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure';
}

/** Throws unless the condition holds. */
export function must(condition: boolean, what: () => string): asserts condition {
  if (!condition) throw new FuzzFailure(what());
}
