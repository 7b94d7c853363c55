import { styleText } from 'node:util';

const REDRAW_MS = 150;
const CLEAR_BELOW = '\u001b[J';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

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
    this.#isLive = out.isTTY && process.env['TERM'] !== 'dumb';
    this.#isColoured = this.#isLive && (process.env['NO_COLOR'] ?? '') === '';
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
    this.#picture = null;
    if (this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
    this.#out.write(this.#takeErasure() + SHOW_CURSOR);
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
    this.#out.write(this.#takeErasure() + textOf(lines) + this.#drawing());
  }

  #redraw(): void {
    this.#out.write(this.#takeErasure() + this.#drawing());
  }

  /** In one write with what comes behind it, so that nothing flickers. */
  #takeErasure(): string {
    const erasure = this.#drawn > 0 ? `\u001b[${this.#drawn}A\r${CLEAR_BELOW}` : '';
    this.#drawn = 0;
    return erasure;
  }

  /** The picture in as many lines and columns as there are: the terminal can only go back to what is on it. */
  #drawing(): string {
    if (this.#timer === null || this.#picture === null) return '';
    const { rows, columns } = this.#out;
    const lines = ['', ...this.#picture().map((line) => `    ${line}`)]
      .slice(0, rows - 1)
      .map((line) => this.#style('dim', line.slice(0, columns - 1)));
    this.#drawn = lines.length;
    return HIDE_CURSOR + textOf(lines);
  }

  #style(format: 'bold' | 'green' | 'dim', text: string): string {
    return this.#isColoured ? styleText(format, text) : text;
  }
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

export function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
