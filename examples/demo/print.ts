import { styleText } from 'node:util';

const isColoured = process.stdout.isTTY && process.env['NO_COLOR'] === undefined;

function style(format: 'bold' | 'green' | 'dim', text: string): string {
  return isColoured ? styleText(format, text) : text;
}

export function heading(text: string): void {
  console.log(`\n${style('bold', text)}`);
}

export function detail(text: string): void {
  console.log(`    ${text}`);
}

export function note(text: string): void {
  console.log(`    ${style('dim', text)}`);
}

/** Ends the demo with an error if the claim does not hold. */
export function verify(claim: string, holds: boolean): void {
  if (!holds) throw new Error(`This does not hold: ${claim}.`);
  console.log(`    ${style('green', 'ok')}  ${claim}`);
}

export function seconds(sinceMs: number): string {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}
