import { styleText } from 'node:util';

const REDRAW_MS = 150;
const CLEAR_BELOW = '\u001b[J';

/**
 * Prints the story line by line. On a terminal a picture stays below the last line and is drawn again and again; where the
 * output is piped there are only the lines.
 */
export class Screen {
  readonly #out: NodeJS.WriteStream;
  readonly #isLive: boolean;
  readonly #isColoured: boolean;
  /** Lines of the picture that are on the terminal now. */
  #drawn = 0;
  #picture: (() => readonly string[]) | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
    this.#isLive = out.isTTY;
    this.#isColoured = out.isTTY && process.env['NO_COLOR'] === undefined;
  }

  /** What to draw from now on. */
  live(picture: () => readonly string[]): void {
    this.#picture = picture;
    if (!this.#isLive) return;
    this.#timer ??= setInterval(() => this.#redraw(), REDRAW_MS);
    this.#redraw();
  }

  /** The picture goes; lines can still be printed. */
  still(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    this.#erase();
    this.#picture = null;
  }

  heading(text: string): void {
    this.#print('', this.#style('bold', text));
  }

  detail(text: string): void {
    this.#print(`    ${text}`);
  }

  note(text: string): void {
    this.#print(`    ${this.#style('dim', text)}`);
  }

  /** The picture of this moment, as lines that stay. */
  snapshot(): void {
    for (const line of this.#picture?.() ?? []) this.detail(line);
  }

  /** Ends the demo with an error if the claim does not hold. */
  verify(claim: string, holds: boolean): void {
    if (!holds) throw new Error(`This does not hold: ${claim}.`);
    this.#print(`    ${this.#style('green', 'ok')}  ${claim}`);
  }

  #print(...lines: string[]): void {
    this.#erase();
    this.#out.write(lines.map((line) => `${line}\n`).join(''));
    this.#redraw();
  }

  #redraw(): void {
    if (!this.#isLive || this.#timer === null || this.#picture === null) return;
    const lines = this.#picture().map((line) => `    ${line}`.slice(0, this.#out.columns - 1));
    this.#erase();
    this.#out.write(['', ...lines].map((line) => `${this.#style('dim', line)}\n`).join(''));
    this.#drawn = lines.length + 1;
  }

  #erase(): void {
    if (this.#drawn > 0) this.#out.write(`\u001b[${this.#drawn}A\r${CLEAR_BELOW}`);
    this.#drawn = 0;
  }

  #style(format: 'bold' | 'green' | 'dim', text: string): string {
    return this.#isColoured ? styleText(format, text) : text;
  }
}

export function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
