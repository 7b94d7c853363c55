import { spawn, type ChildProcessByStdio } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const EXAMPLES = path.resolve(__dirname, '..');

/** An example that runs in a process of its own, as it would in a shell. */
export class ExampleProcess {
  /** Its lines so far. */
  readonly stdout: string[] = [];
  readonly stderr: string[] = [];
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;

  /** `file` is a name in this folder, such as "batches.ts". */
  constructor(file: string, args: readonly string[]) {
    const command = ['--require', require.resolve('tsx/cjs'), path.join(EXAMPLES, file), ...args];
    this.#child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', kill);
    this.#child.once('close', () => process.off('exit', kill));
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.stdout.push(line));
    createInterface({ input: this.#child.stderr }).on('line', (line) => this.stderr.push(line));
    this.exited = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('close', (code, signal) => resolve(code ?? signal ?? -1));
    });
    this.exited.catch(() => undefined); // told to those who wait for it
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Sends the signal and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    this.#child.kill(signal);
    return this.exited;
  }
}
