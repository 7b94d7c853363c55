import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { testNamesIn } from '../../support/docs/testNames';

const ROOT = path.resolve(__dirname, '../../..');
const DOCUMENT = 'docs/dependencies.md';
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface Row {
  /** Such as `Z1`, or `also` for what has no number. */
  readonly number: string;
  readonly fault: string;
  readonly remedy: string;
  readonly specs: string;
}

interface NamedSpec {
  readonly number: string;
  readonly file: string;
  readonly test: string;
}

/** The formatter escapes characters as it likes. */
function plain(cell: string): string {
  return cell
    .replace(/\\([_*[\]|<>])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

function rowsIn(text: string): Row[] {
  const lines = text.split('\n').filter((line) => /^\| *(\w+) *\|/.test(line));
  return lines.map((line) => {
    const [number = '', fault = '', remedy = '', specs = ''] = line
      .slice(1)
      .split(/(?<!\\)\|/)
      .map(plain);
    return { number, fault, remedy, specs };
  });
}

function specsOf({ number, specs }: Row): NamedSpec[] {
  return specs.split('<br>').map((one) => {
    const [, file = '', test = ''] = /^\[(\S+)\]\(\.\.\/spec\/\1\): (.+)$/.exec(one) ?? [];
    return { number, file, test };
  });
}

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}

/** Files in lib that import the package. */
function importersOf(name: string): string[] {
  const files = readdirSync(path.join(ROOT, 'lib'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts') && read(`lib/${file}`).includes(`'${name}'`))
    .map((file) => `lib/${file}`);
}

describe('docs/dependencies.md', () => {
  const rows = rowsIn(read(DOCUMENT));
  const specs = rows.flatMap(specsOf);

  it('has each fault once, in their order', () => {
    const numbers = rows.map(({ number }) => number).filter((number) => number !== 'also');
    expect(numbers).toEqual([...numbered('Z', 26), ...numbered('K', 28)]);
  });

  it.each(rows)('says what $number is, and what is done about it in files that are there', (row) => {
    expect(row.fault).not.toBe('');
    expect(row.remedy).not.toBe('');
    const files = Array.from(row.remedy.matchAll(/`(lib\/[^`]+)`/g), ([, file = '']) => file);
    expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(files.length > 0 || row.remedy.startsWith('Not used')).toBe(true);
  });

  it.each(specs)('names a spec that is there for $number: $file, $test', ({ file, test }) => {
    expect(existsSync(path.join(ROOT, 'spec', file))).toBe(true);
    expect(testNamesIn(read(`spec/${file}`))).toContain(test);
  });

  it('is about the versions that are installed', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const titles = Array.from(read(DOCUMENT).matchAll(/^## (\S+) (\S+)$/gm), ([, name, version]) => [
      name,
      version,
    ]);
    expect(titles).toEqual(['node-zookeeper-client', 'kafka-node'].map((name) => [name, dependencies[name]]));
  });
});

describe('the only room', () => {
  it('of node-zookeeper-client calls nothing of it whose fault has no way round', () => {
    const room = 'lib/zookeeper/ZookeeperClient.ts';
    expect(importersOf('node-zookeeper-client')).toEqual([room]);
    const text = read(room);
    const called = new Set(Array.from(text.matchAll(/#client\s*\.(\w+)/g), ([, name = '']) => name));
    // No mkdirp, listSubTreeBFS or removeRecursive, and of a transaction only the check without a version.
    expect([...called].sort()).toEqual(
      [
        ...['addAuthInfo', 'connect', 'close', 'getSessionId', 'getSessionTimeout'],
        ...['exists', 'getData', 'getChildren', 'create', 'setData', 'remove', 'transaction'],
      ].sort(),
    );
    expect(text.match(/\.transaction\(\)/g)).toHaveLength(1);
    expect(text).toContain('.transaction().check(path, -1).commit(');
  });

  it('of kafka-node takes nothing of it but the client that makes sockets', () => {
    const room = 'lib/kafka/brokerSocket.ts';
    expect(importersOf('kafka-node')).toEqual([room]);
    expect(/import (.+) from 'kafka-node'/.exec(read(room))?.[1]).toBe('{ KafkaClient }');
  });
});

describe('the names of the tests in a file', () => {
  it('have the titles around them, as they are written', () => {
    const text = `
      it('alone', () => {});
      describe.each(['a'])('outer %s', (a) => {
        describe('inner', () => { if (a) { it.each([1])('is %d', async (n) => {}); } });
        it("isn't inside", () => { expect(it.name).toBe('it'); run('no test', () => {}); });
        it.skip('is left out', () => {});
      });`;
    expect(testNamesIn(text)).toEqual(['alone', 'outer %s inner is %d', "outer %s isn't inside"]);
  });
});
