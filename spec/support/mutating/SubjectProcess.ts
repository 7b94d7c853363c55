import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { waitFor } from '../waitFor';
import type { MutationLog } from './MutationLog';
import type { SubjectLine, Vitals } from './subject';

const ROOT = path.resolve(__dirname, '../../..');
/** Its heap is bounded, so that what grows without end ends the process soon. */
const FLAGS = ['--expose-gc', '--max-old-space-size=256', '--import', 'tsx'];
const MIB = 1024 * 1024;
/** It says five times a second that it is alive. */
const MOST_SILENCE_MS = 5000;
const MOST_DELAY_MS = 1000;
const END_LIMIT_MS = 5000;
const MOST_LINES = 60;

/** What a process that is left alone with a mutating network must keep to. */
export interface SubjectLimits {
  readonly largestBytes: number;
  readonly growthBytes: number;
}

/** A process under test. Whatever is wrong with it fails the next wait for it, together with what it was sent last. */
export class SubjectProcess implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #logs: readonly MutationLog[];
  readonly #limits: SubjectLimits;
  readonly #faults: string[] = [];
  readonly #stderr: string[] = [];
  readonly #results: unknown[] = [];
  readonly #exited: Promise<void>;
  #end: string | null = null;
  #aliveMs = Infinity;
  /** Before the mutations. */
  #base: Vitals | null = null;
  #peak: Vitals = { rssBytes: 0, usedBytes: 0, delayMs: 0, largestBytes: 0 };
  #last: Vitals = this.#peak;

  constructor(script: string, options: unknown, logs: readonly MutationLog[], limits: SubjectLimits) {
    this.#logs = logs;
    this.#limits = limits;
    const args = [...FLAGS, path.join(__dirname, script), JSON.stringify(options)];
    this.#child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      if (this.#stderr.length < MOST_LINES) this.#stderr.push(line);
    });
    // Written to after its end, which is told otherwise.
    this.#child.stdin.on('error', () => undefined);
    this.#exited = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.#end = signal ?? `exit code ${String(code)}`;
        resolve();
      });
    });
  }

  /** What it came to, in MiB and milliseconds. */
  get figures(): Readonly<Record<string, number>> {
    const mib = (bytes: number): number => Math.round(bytes / MIB);
    return {
      rss: mib(this.#peak.rssBytes),
      rssBefore: mib(this.#base?.rssBytes ?? 0),
      used: mib(this.#peak.usedBytes),
      usedBefore: mib(this.#base?.usedBytes ?? 0),
      usedAfter: mib(this.#last.usedBytes),
      delayMs: Math.round(this.#peak.delayMs),
      largestBytes: this.#peak.largestBytes,
    };
  }

  /** Resolves with what it answered. */
  async command(name: string, timeoutMs: number): Promise<unknown> {
    this.#child.stdin.write(`${name}\n`);
    await this.until(() => this.#results.length > 0, `the end of "${name}"`, timeoutMs);
    return this.#results.shift();
  }

  /** From now on the memory counts. */
  startCounting(): void {
    this.#base = this.#last;
    this.#peak = { ...this.#last, delayMs: 0 };
  }

  async until(condition: () => boolean, description: string, timeoutMs: number): Promise<void> {
    await waitFor(() => this.#trouble !== null || condition(), {
      ...{ timeoutMs, description },
      details: () => this.#describe(),
    });
    this.check();
  }

  check(): void {
    if (this.#trouble !== null) throw new Error(`${this.#trouble}\n${this.#describe()}`);
  }

  /** Nothing keeps the process any more, so it has to end by itself. */
  async end(): Promise<void> {
    this.check();
    this.#child.stdin.write('end\n');
    await waitFor(() => this.#end !== null, {
      timeoutMs: END_LIMIT_MS,
      description: 'the end of the process',
      details: () => this.#describe(),
    });
    if (this.#end !== 'exit code 0')
      throw new Error(`It ended with ${String(this.#end)}\n${this.#describe()}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /** What is wrong; null if nothing is. */
  get #trouble(): string | null {
    const silentMs = performance.now() - this.#aliveMs;
    if (this.#faults.length > 0)
      return `The process under test has found: ${this.#faults.slice(0, 5).join('\n')}`;
    if (this.#end !== null) return `The process under test is gone: ${this.#end}`;
    if (silentMs > MOST_SILENCE_MS)
      return `The process under test hangs: silent for ${Math.round(silentMs)} ms`;
    const { delayMs, largestBytes, rssBytes } = this.#peak;
    if (this.#base === null) return null;
    if (delayMs > MOST_DELAY_MS) return `Its event loop was held up for ${Math.round(delayMs)} ms`;
    if (largestBytes > this.#limits.largestBytes) return `It has asked for a buffer of ${largestBytes} bytes`;
    const growthBytes = rssBytes - this.#base.rssBytes;
    if (growthBytes > this.#limits.growthBytes) return `It has grown by ${Math.round(growthBytes / MIB)} MiB`;
    return null;
  }

  #describe(): string {
    return [...this.#logs.map((log) => log.describe()), JSON.stringify(this.figures), ...this.#stderr].join(
      '\n',
    );
  }

  #receive(text: string): void {
    const line = JSON.parse(text) as SubjectLine;
    switch (line.line) {
      case 'alive': {
        this.#aliveMs = performance.now();
        this.#last = line.vitals;
        const { rssBytes, usedBytes, delayMs, largestBytes } = this.#peak;
        this.#peak = {
          rssBytes: Math.max(rssBytes, line.vitals.rssBytes),
          usedBytes: Math.max(usedBytes, line.vitals.usedBytes),
          delayMs: Math.max(delayMs, line.vitals.delayMs),
          largestBytes: Math.max(largestBytes, line.vitals.largestBytes),
        };
        break;
      }
      case 'read':
        for (const log of this.#logs) log.wasRead(line.port, line.bytes);
        break;
      case 'fault':
        this.#faults.push(line.what);
        break;
      case 'done':
        this.#results.push(line.result);
        break;
    }
  }
}
