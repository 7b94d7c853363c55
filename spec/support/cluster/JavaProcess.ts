import {
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type StdioOptions,
} from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

import { withDeadline } from '../waitFor';
import { findJavaTool } from './javaTools';

/** Small and quick to start; a broker needs no more, and specs run several of these. */
const JVM_FLAGS = [
  ...['-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData', '-Xss256k', '-Xms16m'],
  ...['-Djava.net.preferIPv4Stack=true', '-Djava.awt.headless=true'],
  `-Dlog4j.configuration=${pathToFileURL(path.join(__dirname, 'java', 'log4j.properties')).href}`,
];

/** How much of the log is kept for error messages. */
const LOG_LINES = 400;

export interface JavaProcessOptions {
  readonly classpath: readonly string[];
  readonly mainClass: string;
  readonly args: readonly string[];
  readonly flags?: readonly string[];
  /** Called for each line on stdout; `false` means that the line belongs to the log. */
  readonly onLine: (line: string) => boolean;
}

/** A JVM whose main class ends at the end of its stdin, so that it cannot outlive this process. */
export class JavaProcess {
  /** Resolves when the process is gone and its output is read; says how it ended. */
  readonly exited: Promise<string>;
  readonly #child: ChildProcessWithoutNullStreams;
  /** Last lines of stderr and of what else was printed. */
  readonly #log: string[] = [];
  /** While paused: the process that waits for the end of this one. */
  #guard: ChildProcess | null = null;
  /** How it ended, once it has. */
  #end: string | null = null;

  constructor(options: JavaProcessOptions) {
    const classpath = options.classpath.join(path.delimiter);
    const args = [
      ...JVM_FLAGS,
      ...(options.flags ?? []),
      '-cp',
      classpath,
      options.mainClass,
      ...options.args,
    ];
    this.#child = spawn(findJavaTool('java'), args, { stdio: 'pipe' });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      if (!options.onLine(line)) this.#keep(line);
    });
    createInterface({ input: this.#child.stderr }).on('line', (line) => this.#keep(line));
    // Written to after its end; `exited` tells about that end.
    this.#child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.#child.on('error', (error) => this.#keep(String(error)));
      this.#child.on('close', (code, signal) => {
        this.#end = signal === null ? `exit code ${String(code)}` : `signal ${signal}`;
        resolve(this.#end);
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get hasExited(): boolean {
    return this.#end !== null;
  }

  /** The last lines of the log, with a heading, for error messages. */
  logTail(lines = 40): string {
    const state = this.#end === null ? 'running' : `ended with ${this.#end}`;
    return `Last lines of the log of JVM ${this.pid} (${state}):\n${this.#log.slice(-lines).join('\n')}`;
  }

  writeLine(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** At once; also if it is paused. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /**
   * Stops the process without ending it. It cannot notice the end of its stdin now, so a shell does that for it and
   * kills it when this process ends before `resume`.
   */
  pause(): void {
    if (this.#guard !== null || this.hasExited) return;
    const script = 'read line; kill -KILL "$1"';
    const stdio: StdioOptions = ['pipe', 'ignore', 'ignore'];
    const guard = spawn('/bin/sh', ['-c', script, 'sh', String(this.pid)], { stdio });
    this.#guard = guard;
    void this.exited.then(() => guard.kill('SIGKILL'));
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#guard?.kill('SIGKILL');
    this.#guard = null;
    this.#child.kill('SIGCONT');
  }

  /** Ends the input, which ends the JVM; one that does not obey is killed. */
  async end(timeoutMs = 5000): Promise<void> {
    this.#child.stdin.end();
    try {
      await withDeadline(this.exited, timeoutMs, 'end of the JVM');
    } catch {
      this.kill();
      await this.exited;
    }
  }

  #keep(line: string): void {
    this.#log.push(line);
    if (this.#log.length > LOG_LINES) this.#log.splice(0, this.#log.length - LOG_LINES);
  }
}
