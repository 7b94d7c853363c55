import { kafkaVersions } from '../support/cluster/kafkaJars';
import { codeState } from './codeState';
import { withCells } from './results';
import { readResults, writePage, writeResults } from './resultsFile';
import { runCell } from './runCell';
import { redReasons, verdictsOf } from './verdict';

const HELP = `npm run matrix [-- RELEASE...] runs a group against real clusters: ${kafkaVersions().join(', ')}
(by default all), and writes spec/matrix/results.json and docs/compatibility.md.`;

/**
 * `npm run matrix [-- RELEASE...]`: runs these cells, by default all, one after the other; writes results.json and
 * docs/compatibility.md after each. The exit code is 1 if one of them is red, or, when all are asked for, one is missing.
 */
async function main(asked: readonly string[]): Promise<number> {
  if (asked.includes('--help') || asked.includes('-h')) {
    console.log(HELP);
    return 0;
  }
  const releases = kafkaVersions();
  const unknown = asked.filter((release) => !releases.includes(release));
  if (unknown.length > 0) throw new Error(`there is no ${unknown.join(', ')}\n\n${HELP}`);
  const state = await codeState();
  let red = 0;
  for (const release of asked.length > 0 ? asked : releases) {
    console.log(release);
    const startedMs = performance.now();
    const say = (text: string): void =>
      console.log(`  ${((performance.now() - startedMs) / 1000).toFixed(1).padStart(5)} s  ${text}`);
    const cell = { ...(await runCell(release, say)), ...state };
    const reasons = redReasons(cell);
    for (const reason of reasons) console.log(`  RED: ${reason}`);
    if (reasons.length > 0) red += 1;
    writeResults(withCells(readResults(), [cell]));
    writePage();
  }
  const { lacks } = verdictsOf(readResults(), releases);
  for (const lack of lacks) console.log(`No cell has ${lack}`);
  console.log(red === 0 ? 'all cells are green' : `${red} cells are red`);
  return red > 0 || (asked.length === 0 && lacks.length > 0) ? 1 : 0;
}

void main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);
