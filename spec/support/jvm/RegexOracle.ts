import type { JvmCommands } from '../cluster/JvmCommands';
import { startOracle } from './startOracle';

const LIMIT_MS = 60_000;

/** A text of a 1 or 0 for each topic, "refused ..." with the reason, or "slow". */
export type JavaVerdict = string;

/** Tells which topic names a regex matches by java.util.regex. */
export class RegexOracle implements AsyncDisposable {
  readonly #jvm: JvmCommands;

  private constructor(jvm: JvmCommands) {
    this.#jvm = jvm;
  }

  static async start(topics: readonly string[]): Promise<RegexOracle> {
    const options = { what: 'The regexes of Java', mainClass: 'RegexOracle', release: null };
    return new RegexOracle(await startOracle({ ...options, args: topics }));
  }

  /** What Java says to each of the regexes. */
  evaluate(regexes: readonly string[]): Promise<JavaVerdict[]> {
    const encoded = regexes.map((regex) => Buffer.from(regex).toString('base64'));
    return this.#jvm.command([encoded.length, ...encoded].join('\n'), LIMIT_MS);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#jvm.end();
  }
}
