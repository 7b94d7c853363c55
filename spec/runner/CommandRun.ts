import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** How much of a process's output is kept: the end, which says why it failed. */
const OUTPUT_LIMIT = 200_000;
/** How long the pipes of an ended process may stay open: a process outside its group may hold them. */
const PIPES_LIMIT_MS = 500;

/** How a process ended; `text` is for people. */
export interface Exit {
  readonly code: number | null;
  readonly text: string;
}

/** A process that leads a process group of its own, so that what it started can be ended with it. */
export class CommandRun {
  /** All that have not ended. */
  static readonly #running = new Set<CommandRun>();

  /** Resolves when the process has ended and the rest of its group is killed. */
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  /** The end of stdout and stderr. */
  #output = '';
  #hasEnded = false;

  /** `env` is added to the environment of this process. */
  constructor(
    command: string,
    args: readonly string[],
    output: 'inherit' | 'keep',
    env: Readonly<Record<string, string>> = {},
  ) {
    const streams = output === 'keep' ? 'pipe' : 'inherit';
    this.#child = spawn(command, args, {
      detached: true,
      stdio: ['ignore', streams, streams],
      env: { ...process.env, ...env },
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output = (this.#output + text).slice(-OUTPUT_LIMIT);
      });
    }
    CommandRun.#running.add(this);
    this.exited = this.#untilEnd();
  }

  /** Ends everything that was started and still runs. */
  static killAll(): void {
    for (const run of CommandRun.#running) run.kill();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  get output(): string {
    return this.#output;
  }

  /** Ends the whole group at once. */
  kill(): void {
    if (this.#child.pid === undefined) return;
    try {
      process.kill(-this.#child.pid, 'SIGKILL');
    } catch (error) {
      // Nobody is left; some systems say so with EPERM.
      if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }

  /** Kills the group after this time; the returned function calls it off. */
  killAfter(timeoutMs: number, onKill: () => void): () => void {
    const timer = setTimeout(() => {
      onKill();
      this.kill();
    }, timeoutMs);
    return () => {
      clearTimeout(timer);
    };
  }

  async #untilEnd(): Promise<Exit> {
    const closed = once(this.#child, 'close').catch(() => undefined);
    try {
      const [code, signal] = (await once(this.#child, 'exit')) as [number | null, NodeJS.Signals | null];
      this.kill();
      await Promise.race([closed, delay(PIPES_LIMIT_MS, undefined, { ref: false })]);
      return { code, text: signal === null ? `exit code ${code}` : `signal ${signal}` };
    } catch (error) {
      return { code: null, text: error instanceof Error ? error.message : String(error) };
    } finally {
      this.#hasEnded = true;
      CommandRun.#running.delete(this);
    }
  }
}
