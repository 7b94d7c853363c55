import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { testNamesIn } from '../../support/docs/testNames';

const ROOT = path.resolve(__dirname, '../../..');
const CONFORMANCE = 'docs/conformance.md';
const JVM_GROUPS = 'docs/jvm-groups.md';
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** Tests of the Scala connector: their classes, or suites, with the number of rows. */
const TESTS: Readonly<Record<string, number>> = {
  ZookeeperConsumerConnectorTest: 6,
  'javaapi ZookeeperConsumerConnectorTest': 1,
  ConsumerIteratorTest: 2,
  PartitionAssignorTest: 4,
  TopicFilterTest: 3,
  AutoOffsetResetTest: 4,
  FetcherTest: 1,
  MetricsTest: 1,
  ConfigTest: 2,
  ZKEphemeralTest: 4,
  ZKPathTest: 6,
  DeleteConsumerGroupTest: 7,
  ConsoleConsumerTest: 3,
  MirrorMakerIntegrationTest: 1,
  system_test: 4,
};
const RUNS = [...Array.from({ length: 20 }, (_, n) => `R${n}`), 'R9b'];

interface Row {
  readonly row: string;
  readonly result: string;
  readonly differs: string;
  readonly specs: string;
}

interface NamedSpec {
  readonly file: string;
  readonly test: string;
}

/** The formatter escapes characters as it likes. */
function plain(cell: string): string {
  return cell
    .replace(/\\([_*[\]|<>$])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

function rowsOf(section: string): Row[] {
  const [, text = ''] = read(CONFORMANCE).split(`\n## ${section}\n`);
  const lines = (text.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => {
    const [row = '', result = '', differs = '', specs = ''] = line
      .slice(1)
      .split(/(?<!\\)\|/)
      .map(plain);
    return { row, result, differs, specs };
  });
}

function specIn(text: string): NamedSpec {
  const [, file = '', test = ''] = /^\[(\S+)\]\(\.\.\/spec\/\1\): (.+)$/.exec(text) ?? [];
  return { file, test };
}

const specsOf = ({ specs }: Row): NamedSpec[] => specs.split('<br>').map(specIn);

/** The class or suite of a row. */
function classOf(row: string): string {
  return (
    Object.keys(TESTS).find(
      (name) => row === name || (/^[. ]/.test(row.slice(name.length)) && row.startsWith(name)),
    ) ?? row
  );
}

const tests = rowsOf('Tests of the Scala connector');
const runs = rowsOf('Runs of the Scala connector');

describe('docs/conformance.md', () => {
  it('has all tests of the Scala connector', () => {
    const counts: Record<string, number> = {};
    for (const { row } of tests) counts[classOf(row)] = (counts[classOf(row)] ?? 0) + 1;
    expect(counts).toEqual(TESTS);
    expect(new Set(tests.map(({ row }) => row)).size).toBe(tests.length);
  });

  it('has all runs of the Scala connector', () => {
    expect(runs.map(({ row }) => row).sort()).toEqual([...RUNS].sort());
  });

  it.each([...tests, ...runs])(
    'says of $row whether ours is equal, or how it differs',
    ({ result, differs }) => {
      expect(['equal', 'differs']).toContain(result);
      expect(differs !== '').toBe(result === 'differs');
    },
  );

  it.each([...tests, ...runs].flatMap((row) => specsOf(row).map((spec) => ({ row: row.row, ...spec }))))(
    'names a spec that is there for $row: $file, $test',
    ({ file, test }) => {
      expect(existsSync(path.join(ROOT, 'spec', file))).toBe(true);
      expect(testNamesIn(read(`spec/${file}`))).toContain(test);
    },
  );

  const named = tests.flatMap((row) => {
    const [name] = /\b(?:test|should)\w+|\d{4,5}-\d{4,5}/.exec(row.row) ?? [];
    return name === undefined ? [] : [{ name, files: specsOf(row).map(({ file }) => file) }];
  });

  it.each(named)('$name is found by its name', ({ name, files }) => {
    expect(files.filter((file) => !read(`spec/${file}`).includes(name))).toEqual([]);
  });

  it.each(runs)('$row is found by its name', ({ row, specs }) => {
    expect(specs).toMatch(new RegExp(`(^|[^A-Za-z0-9])${row}[:,]`));
  });
});

describe('docs/jvm-groups.md', () => {
  const specs = (read(JVM_GROUPS).match(/^- \[.*$/gm) ?? []).map((line) => specIn(plain(line.slice(2))));

  it('has something to show', () => {
    expect(specs.length).toBeGreaterThan(1);
  });

  it.each(specs)('names a spec that is there: $file, $test', ({ file, test }) => {
    expect(existsSync(path.join(ROOT, 'spec', file))).toBe(true);
    expect(testNamesIn(read(`spec/${file}`))).toContain(test);
  });
});
