import path from 'node:path';

import { JvmCommands } from '../cluster/JvmCommands';
import { compileJava } from '../cluster/kafkaJars';

const LIMIT_MS = 60_000;
const SOURCES = [
  path.join(__dirname, '../cluster/java/Answers.java'),
  path.join(__dirname, 'RegexOracle.java'),
];

/** A text of a 1 or 0 for each topic, "refused ..." with the reason, or "slow". */
export type JavaVerdict = string;

/** Tells which topic names a regex matches by java.util.regex. */
export class RegexOracle implements AsyncDisposable {
  readonly #jvm: JvmCommands;

  private constructor(jvm: JvmCommands) {
    this.#jvm = jvm;
  }

  static async start(topics: readonly string[]): Promise<RegexOracle> {
    const classes = await compileJava('regexes', SOURCES);
    const jvm = new JvmCommands('The regexes of Java', {
      classpath: [classes],
      mainClass: 'RegexOracle',
      args: topics,
      flags: ['-Xmx96m'],
    });
    const oracle = new RegexOracle(jvm);
    try {
      await jvm.started(LIMIT_MS);
      return oracle;
    } catch (error) {
      await oracle[Symbol.asyncDispose]();
      throw error;
    }
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
