import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { kafkaVersions } from '../support/cluster/kafkaJars';
import { compatibilityMarkdown } from './compatibilityMarkdown';
import type { MatrixResults } from './results';

const RESULTS = path.join(__dirname, 'results.json');
const PAGE = path.resolve(__dirname, '../../docs/compatibility.md');

/** Without the file nothing was ever run. */
export function readResults(): MatrixResults {
  if (!existsSync(RESULTS)) return { cells: [] };
  return JSON.parse(readFileSync(RESULTS, 'utf8')) as MatrixResults;
}

export function writeResults(results: MatrixResults): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
}

/** docs/compatibility.md, from the results and the releases that there are jars of. */
export function writePage(): void {
  writeFileSync(PAGE, compatibilityMarkdown(readResults(), kafkaVersions()));
}
