import { readdirSync } from 'node:fs';
import path from 'node:path';

import { withDeadline } from '../waitFor';
import { JavaProcess } from './JavaProcess';
import { compileJava, kafkaJars } from './kafkaJars';

const SOURCES = path.join(__dirname, 'java');
const START_LIMIT_MS = 90_000;
const COMMAND_LIMIT_MS = 45_000;
const FLAGS = ['-Xmx256m', '-Dzookeeper.forceSync=no', '-Dzookeeper.jmx.log4j.disable=true'];

interface PendingAnswer {
  readonly resolve: (items: string[]) => void;
  readonly reject: (error: Error) => void;
}

/** The JVM of a cluster (java/ClusterMain.java) and its line protocol: one command at a time. */
export class ClusterProcess {
  readonly #jvm: JavaProcess;
  /** Who gets the next answer. */
  #pending: PendingAnswer | null = null;
  /** Lines of that answer so far. */
  #items: string[] = [];
  /** Settles when the last command given is answered. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(classpath: string[], directory: string, flags: readonly string[]) {
    this.#jvm = new JavaProcess({
      classpath,
      mainClass: 'ClusterMain',
      args: [directory],
      flags: [...FLAGS, ...flags],
      onLine: (line) => this.#receive(line),
    });
  }

  /** What a JVM of this release needs, resolved and compiled at the first call on this machine. */
  static async prepare(kafka: string): Promise<string[]> {
    const jars = await kafkaJars(kafka);
    const sources = readdirSync(SOURCES).filter((name) => name.endsWith('.java'));
    const files = sources.sort().map((name) => path.join(SOURCES, name));
    return [await compileJava('cluster', files), ...jars];
  }

  /** Resolves when all ZooKeeper servers whose settings are in the folder are ready. */
  static async start(
    classpath: string[],
    directory: string,
    flags: readonly string[] = [],
  ): Promise<ClusterProcess> {
    const process = new ClusterProcess(classpath, directory, flags);
    try {
      await process.#ask(null, START_LIMIT_MS);
    } catch (error) {
      await process.stop();
      throw error;
    }
    return process;
  }

  get pid(): number {
    return this.#jvm.pid;
  }

  logTail(): string {
    return this.#jvm.logTail();
  }

  /** Resolves when all brokers whose settings are in the folder are ready. */
  async startBrokers(): Promise<void> {
    await this.#ask('start', START_LIMIT_MS);
  }

  /** The lines of the answer. Commands wait for each other. */
  command(line: string): Promise<string[]> {
    return this.#ask(line, COMMAND_LIMIT_MS);
  }

  /** Ends the JVM at once, which also removes the folder. */
  async stop(): Promise<void> {
    await this.#jvm.end();
  }

  /** Null is the start, which is answered without being asked for. */
  #ask(line: string | null, timeoutMs: number): Promise<string[]> {
    const answer = this.#last.then(async () => {
      const name = line ?? 'start';
      try {
        return await withDeadline(this.#next(line), timeoutMs, name);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`The cluster failed at "${name}": ${reason}\n${this.logTail()}`, { cause: error });
      }
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #next(line: string | null): Promise<string[]> {
    if (this.#jvm.hasExited) throw new Error('the JVM is not running');
    if (this.#pending !== null) throw new Error('the command before is still not answered');
    const answer = new Promise<string[]>((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    if (line !== null) this.#jvm.writeLine(line);
    const ended = this.#jvm.exited.then((how) => {
      throw new Error(`the JVM ended with ${how}`);
    });
    return Promise.race([answer, ended]);
  }

  #receive(line: string): boolean {
    const [, kind, text = ''] = /^> (item|ok|failed) ?(.*)$/s.exec(line) ?? [];
    if (kind === undefined) return false;
    if (kind === 'item') {
      this.#items.push(text);
      return true;
    }
    const items = this.#items;
    const pending = this.#pending;
    this.#items = [];
    this.#pending = null;
    if (kind === 'ok') pending?.resolve(items);
    else pending?.reject(new Error(text));
    return true;
  }
}
