import type { JvmCommands } from '../cluster/JvmCommands';
import { startOracle } from './startOracle';

const LIMIT_MS = 60_000;

/** Texts by name, or the message of the exception. */
export type JvmAnswer = ReadonlyMap<string, string> | { readonly refused: string };

/** What java.util.Properties and the ConsumerConfig of a release make of properties files. */
export class ConfigOracle implements AsyncDisposable {
  readonly #jvm: JvmCommands;

  private constructor(jvm: JvmCommands) {
    this.#jvm = jvm;
  }

  static async start(release: string): Promise<ConfigOracle> {
    const what = `The ConsumerConfig of ${release}`;
    return new ConfigOracle(await startOracle({ what, mainClass: 'ConfigOracle', release }));
  }

  /** The properties that are in a file with these bytes. */
  load(bytes: Buffer): Promise<JvmAnswer> {
    return this.#ask('load', bytes);
  }

  /** The values of the ConsumerConfig that is made of such a file, by the names of its getters. */
  config(bytes: Buffer): Promise<JvmAnswer> {
    return this.#ask('config', bytes);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#jvm.end();
  }

  async #ask(command: 'load' | 'config', bytes: Buffer): Promise<JvmAnswer> {
    const items = await this.#jvm.command(`${command} ${bytes.toString('base64')}`, LIMIT_MS);
    const fields = items.map((item) => item.split(' '));
    const refused = fields.find(([, value]) => value === undefined);
    if (refused !== undefined) return { refused: textOf(refused[0]) };
    return new Map(fields.map(([name, value]) => [textOf(name), textOf(value)]));
  }
}

function textOf(base64 = ''): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
