import { readdirSync } from 'node:fs';
import path from 'node:path';

import { JvmCommands } from './JvmCommands';
import { compileJava, kafkaJars } from './kafkaJars';

const SOURCES = path.join(__dirname, 'java');
const START_LIMIT_MS = 90_000;
const COMMAND_LIMIT_MS = 45_000;
const FLAGS = ['-Xmx256m', '-Dzookeeper.forceSync=no', '-Dzookeeper.jmx.log4j.disable=true'];

/** The JVM of a cluster (java/ClusterMain.java). */
export class ClusterProcess {
  readonly #jvm: JvmCommands;

  private constructor(classpath: string[], directory: string, flags: readonly string[]) {
    this.#jvm = new JvmCommands('The cluster', {
      classpath,
      mainClass: 'ClusterMain',
      args: [directory],
      flags: [...FLAGS, ...flags],
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
      await process.#jvm.started(START_LIMIT_MS);
    } catch (error) {
      await process.stop();
      throw error;
    }
    return process;
  }

  get ended(): Promise<string> {
    return this.#jvm.ended;
  }

  get pid(): number {
    return this.#jvm.pid;
  }

  logTail(): string {
    return this.#jvm.logTail();
  }

  /** Resolves when all brokers whose settings are in the folder are ready. */
  async startBrokers(): Promise<void> {
    await this.#jvm.command('start', START_LIMIT_MS);
  }

  /** The lines of the answer. Commands wait for each other. */
  command(line: string): Promise<string[]> {
    return this.#jvm.command(line, COMMAND_LIMIT_MS);
  }

  /** Ends the JVM at once, which also removes the folder. */
  async stop(): Promise<void> {
    await this.#jvm.end();
  }
}
