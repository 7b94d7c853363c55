import { MUTATIONS } from './mutations';

const HEAD = `# Faults that the specs notice

Each row is a fault that somebody could make in the rebalance, in the ownership of partitions or in what is committed,
and the spec that fails with it. \`npx tsx spec/mutations/run.ts\` makes the faults, one after the other, in a copy of
the code, runs the named spec there and ends with exit code 1 if a fault goes unnoticed. With a part of a fault's text
as its argument it makes only these; with \`--verbose\` it tells how the specs failed. This file is written by
\`npx tsx spec/mutations/writeMarkdown.ts\`.

`;

/** The text of docs/mutations.md. */
export function mutationsMarkdown(): string {
  const rows = MUTATIONS.map(
    ({ fault, spec: { file, test } }) => [fault, `\`spec/${file}\`: ${test}`] as const,
  );
  return HEAD + table([['fault', 'noticed by'], ...rows]);
}

/** Columns as wide as their longest text, which is how Prettier wants them. */
function table([head, ...rows]: readonly (readonly [string, string])[]): string {
  if (head === undefined) return '';
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[], fill: string): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(' | ')} |\n`;
  return [line(head, ' '), line(['-', '-'], '-'), ...rows.map((row) => line(row, ' '))].join('');
}
