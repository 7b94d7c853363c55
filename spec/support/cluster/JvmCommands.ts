import { withDeadline } from '../waitFor';
import { JavaProcess, type JavaProcessOptions } from './JavaProcess';

interface PendingAnswer {
  readonly resolve: (items: string[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A JVM that is told what to do in lines on its stdin, one command at a time, and answers each by one line
 * "> ok ..." or "> failed ..." behind any number of lines "> item ...".
 */
export class JvmCommands {
  readonly #jvm: JavaProcess;
  /** What the JVM is, for messages. */
  readonly #what: string;
  /** Who gets the next answer. */
  #pending: PendingAnswer | null = null;
  /** Lines of that answer so far. */
  #items: string[] = [];
  /** Settles when the last command given is answered. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(what: string, options: Omit<JavaProcessOptions, 'onLine'>) {
    this.#what = what;
    this.#jvm = new JavaProcess({ ...options, onLine: (line) => this.#receive(line) });
  }

  get pid(): number {
    return this.#jvm.pid;
  }

  /** Resolves with how the JVM ended, whoever ended it. */
  get ended(): Promise<string> {
    return this.#jvm.exited;
  }

  logTail(): string {
    return this.#jvm.logTail();
  }

  /** Resolves when the JVM has said that it is ready, which it does without a command. */
  async started(timeoutMs: number): Promise<void> {
    await this.#ask(null, timeoutMs);
  }

  /** The items of the answer. Commands wait for each other. More lines of a command are what it wants to read. */
  command(lines: string, timeoutMs: number): Promise<string[]> {
    return this.#ask(lines, timeoutMs);
  }

  /** Ends the JVM, by the end of its stdin or by force. */
  async end(): Promise<void> {
    await this.#jvm.end();
  }

  #ask(lines: string | null, timeoutMs: number): Promise<string[]> {
    const answer = this.#last.then(async () => {
      const name = lines?.split('\n', 1)[0] ?? 'start';
      try {
        return await withDeadline(this.#next(lines), timeoutMs, name);
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`${this.#what} failed at "${name}": ${reason}\n${this.logTail()}`, { cause: error });
      }
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #next(lines: string | null): Promise<string[]> {
    if (this.#jvm.hasExited) throw new Error('the JVM is not running');
    if (this.#pending !== null) throw new Error('the command before is still not answered');
    const answer = new Promise<string[]>((resolve, reject) => {
      this.#pending = { resolve, reject };
    });
    if (lines !== null) this.#jvm.writeLine(lines);
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
