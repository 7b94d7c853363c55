import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';

import type { StandstillLine, StandstillOptions, StandstillPlace } from './standstillProcess';
import { waitFor } from './waitFor';

const ROOT = path.resolve(__dirname, '../..');
const SCRIPT = path.join(__dirname, 'standstillProcess.ts');
const LIMIT_MS = 30_000;

/** A member in a process of its own that can be made to stand still at a known place, as a machine that is suspended. */
export class StandstillMember implements AsyncDisposable {
  /** Everything that it said, in that order. */
  readonly lines: StandstillLine[] = [];
  readonly consumerId: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exited: Promise<unknown>;
  readonly #log: string[] = [];
  /** While it stands still: the process that waits for the end of this one, which the member cannot notice. */
  #guard: ChildProcess | null = null;
  #hasExited = false;

  constructor(options: StandstillOptions) {
    const { config } = options;
    this.consumerId = `${config['group.id']}_${String(config['consumer.id'])}`;
    const args = ['--import', 'tsx', SCRIPT, JSON.stringify(options)];
    this.#child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
    createInterface({ input: this.#child.stdout }).on('line', (text) =>
      this.lines.push(JSON.parse(text) as StandstillLine),
    );
    createInterface({ input: this.#child.stderr }).on('line', (text) => this.#log.push(text));
    this.#child.stdin.on('error', () => undefined); // `stop` tells how it ended
    this.#exited = new Promise<void>((resolve) => {
      this.#child.on('close', () => {
        this.#hasExited = true;
        resolve();
      });
    });
  }

  /** In the order in which they were handed out, from that line on. */
  messagesFrom(line = 0): { readonly topic: string; partition: number; offset: number; value: string }[] {
    return this.lines.slice(line).flatMap((one) => {
      if (one.line !== 'message') return [];
      const { partition, offset, value } = one;
      return [{ topic: value.slice(0, value.indexOf('/')), partition, offset, value }];
    });
  }

  /** Its last lines, for error messages. */
  get log(): string {
    const said = this.lines.filter(({ line }) => line !== 'message').slice(-12);
    return [...said.map((line) => JSON.stringify(line)), ...this.#log.slice(-20)].join('\n');
  }

  /** Resolves with the number of its lines, the last of which is the one before the standstill. */
  async standStill(place: StandstillPlace): Promise<number> {
    const guard = spawn('/bin/sh', ['-c', 'read line; kill -KILL "$1"', 'sh', String(this.#child.pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#guard = guard;
    void this.#exited.then(() => guard.kill('SIGKILL'));
    this.#child.stdin.write(`${place}\n`);
    await waitFor(() => this.lines.at(-1)?.line === 'still', {
      ...{ timeoutMs: LIMIT_MS, description: 'the standstill', details: () => this.log },
    });
    return this.lines.length;
  }

  goOn(): void {
    this.#guard?.kill('SIGKILL');
    this.#guard = null;
    this.#child.kill('SIGCONT');
  }

  /** Ends it in the clean way. */
  async stop(): Promise<void> {
    this.#child.stdin.write('stop\n');
    await waitFor(() => this.#hasExited, {
      ...{ timeoutMs: LIMIT_MS, description: 'the end of the member', details: () => this.log },
    });
    const last = this.lines.at(-1);
    if (last?.line !== 'closed' || last.error !== null) throw new Error(`It did not end well. ${this.log}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#hasExited) return;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
