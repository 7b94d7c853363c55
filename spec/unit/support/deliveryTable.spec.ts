import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

interface NamedSpec {
  readonly row: string;
  readonly cell: string;
  readonly file: string;
  readonly test: string;
}

/** Markdown may break lines and escape characters, as the formatter likes. */
function oneLine(text: string): string {
  return text
    .replace(/\\([_*[\]])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The first cells of README's table. */
function rowsOfReadme(): string[] {
  const [, section = ''] = read('README.md').split('## What is repeated, what can be lost');
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| '));
  return lines.slice(2).map((line) => oneLine(line.split(' | ')[0]?.slice(2) ?? ''));
}

function namedSpecs(): NamedSpec[] {
  const [, ...sections] = read('docs/delivery.md').split('\n## ');
  return sections.flatMap((section) => {
    const row = oneLine(section.split('\n')[0] ?? '');
    const cells = section.matchAll(/^(Repeated|Lost):\n\n((?:[- ] .*\n?)+)/gm);
    return Array.from(cells, ([, cell = '', list = '']) =>
      Array.from(
        list.matchAll(/^- \[(\S+)\]\(\.\.\/spec\/\1\): ([^]*?)(?=\n- |\n*$)/gm),
        ([, file = '', test = '']) => ({
          ...{ row, cell, file, test: oneLine(test) },
        }),
      ),
    ).flat();
  });
}

/** Whether the file has a test of that name, as it is written there. */
function hasTest(text: string, name: string): boolean {
  const literal = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll("'", "\\\\?'");
  return new RegExp(`\\bit(?:\\.each[^]*?\\))?\\(\\s*'${literal}',\\s*async`).test(text);
}

describe('docs/delivery.md', () => {
  const specs = namedSpecs();

  it('has the rows of the table in README, in its order', () => {
    expect([...new Set(specs.map(({ row }) => row))]).toEqual(rowsOfReadme());
  });

  it('names a spec for both cells of each row', () => {
    const cells = new Set(specs.map(({ row, cell }) => `${row}: ${cell}`));
    expect([...cells]).toEqual(rowsOfReadme().flatMap((row) => [`${row}: Repeated`, `${row}: Lost`]));
  });

  it('has no line that is read as nothing', () => {
    expect(specs).toHaveLength(read('docs/delivery.md').match(/^- /gm)?.length ?? 0);
  });

  it.each(specs)('names a test that is there: $file, $test', ({ file, test }) => {
    expect(existsSync(path.join(ROOT, 'spec', file))).toBe(true);
    expect(hasTest(read(`spec/${file}`), test)).toBe(true);
  });

  it('would not take a name for there that is not', () => {
    const text =
      "it('is here', async () => {});\nit.each([1])(\n  'is %s here, too',\n  async (n) => {},\n);";
    const names = ['is here', 'is %s here, too', 'is', 'is here, too', 'is gone'];
    expect(names.map((name) => hasTest(text, name))).toEqual([true, true, false, false, false]);
  });
});
