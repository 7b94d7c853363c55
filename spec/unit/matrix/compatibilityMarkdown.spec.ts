import { readFileSync } from 'node:fs';
import path from 'node:path';

import { compatibilityMarkdown } from '../../matrix/compatibilityMarkdown';
import { readResults } from '../../matrix/resultsFile';
import { verdictsOf } from '../../matrix/verdict';
import { kafkaVersions } from '../../support/cluster/kafkaJars';
import { greenCell } from './support/greenCell';

const ROOT = path.resolve(__dirname, '../../..');

/** The rows of the first table, with single blanks. */
function rowsOf(page: string): string[] {
  const [, messages = ''] = page.split('## Messages');
  const lines = (messages.split('## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => line.replace(/ +/g, ' '));
}

describe('docs/compatibility.md', () => {
  it('is what spec/matrix/results.json makes of it (npm run matrix:docs)', () => {
    const page = readFileSync(path.join(ROOT, 'docs/compatibility.md'), 'utf8');
    expect(page).toBe(compatibilityMarkdown(readResults(), kafkaVersions()));
  });

  it('has a green row for each release that there are jars of, and everything that was wanted (npm run matrix)', () => {
    const { rows, lacks } = verdictsOf(readResults(), kafkaVersions());
    expect(rows.map(({ release }) => release)).toEqual(kafkaVersions());
    expect(rows.filter(({ reasons }) => reasons.length > 0)).toEqual([]);
    expect(lacks).toEqual([]);
  });
});

describe('the page of a matrix', () => {
  it('has a row with what was found', () => {
    const page = compatibilityMarkdown({ cells: [greenCell('2.8.2-zookeeper-3.6.4')] }, [
      '2.8.2-zookeeper-3.6.4',
    ]);
    expect(rowsOf(page)).toEqual(['| ✅ | 2.8.2 | 3.6.4 | 100 | 100 | 100 | 100 | 100 | 2 | v4 |']);
    expect(page.replace(/ +/g, ' ')).toContain(
      '| 2.8.2 | 3.6.4 | 11 | 1,500 | 1 | 2 | 3 | 12 | 2026-11-30 | 0123456789ab | 20.20.2 |',
    );
  });

  it('has nothing in the place of a codec that a release has not', () => {
    const page = compatibilityMarkdown({ cells: [greenCell('0.8.1.1')] }, ['0.8.1.1']);
    expect(rowsOf(page)).toEqual(['| ✅ | 0.8.1.1 | 3.4.14 | 100 | 100 | 100 | – | – | 0 | v4 |']);
  });

  it('has a red row, with the reason, for a release that was not run', () => {
    const page = compatibilityMarkdown({ cells: [] }, ['3.9.1-zookeeper-3.9.5']);
    expect(rowsOf(page)).toEqual(['| ❌ | 3.9.1 | 3.9.5 | 0 | 0 | 0 | 0 | 0 | | |']);
    expect(page).toContain('- ❌ 3.9.1-zookeeper-3.9.5: it was not run\n');
  });

  it('has a red row, with the reason, for a cell without messages and for one with an error', () => {
    const [empty, failed] = [greenCell('0.8.1.1'), greenCell('0.8.2.2')];
    const cells = [
      { ...empty, codecs: { ...empty.codecs, gzip: { produced: 5, delivered: 0, format: '', fetch: '' } } },
      { ...failed, errors: ['a member is killed: it stayed'] },
    ];
    const page = compatibilityMarkdown({ cells }, ['0.8.1.1', '0.8.2.2']);
    expect(rowsOf(page).map((row) => row.split(' | ')[0])).toEqual(['| ❌', '| ❌']);
    expect(page).toContain('- ❌ 0.8.1.1: no message with the codec gzip\n');
    expect(page).toContain('- ❌ 0.8.2.2: a member is killed: it stayed\n');
  });

  it('says what no row has', () => {
    expect(compatibilityMarkdown({ cells: [] }, [])).toContain('- ❌ ZooKeeper 3.6 or 3.7: no row has it\n');
  });
});
