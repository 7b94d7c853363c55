import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ROOT, run } from './support/commands';
import { pack, type Tarball } from './support/tarball';

jest.setTimeout(120_000);

/** Those that can be copied. */
const EXAMPLES = ['ConsumerGroupExample', 'batches', 'poisonMessages', 'runExample', 'topicFilter'].map(
  (name) => `examples/${name}.ts`,
);

describe('the tarball', () => {
  let folder: string;
  let tarball: Tarball;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'package-'));
    tarball = await pack(folder);
    await run('tar', ['-xzf', tarball.file], folder);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('contains the build of lib, the papers, the examples and nothing else', async () => {
    const sources = await readdir(path.join(ROOT, 'lib'), { recursive: true });
    const modules = sources.filter((name) => name.endsWith('.ts')).map((name) => name.slice(0, -3));
    const built = modules.flatMap((name) => [`dist/${name}.d.ts`, `dist/${name}.js`]);
    const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'bench/results/latest.md'];
    const docs = (await readdir(path.join(ROOT, 'docs'))).map((name) => `docs/${name}`);
    expect([...tarball.contents].sort()).toEqual([...papers, ...docs, ...EXAMPLES, ...built].sort());
  });

  it('contains what its README links to', async () => {
    const readme = await readFile(path.join(folder, 'package', 'README.md'), 'utf8');
    const links = Array.from(readme.matchAll(/\]\(([^)#]+)\)/g), ([, link = '']) => link);
    const local = links.filter((link) => !link.includes(':'));
    expect(local.length).toBeGreaterThan(5);
    expect(local.filter((link) => !tarball.contents.includes(link))).toEqual([]);
  });

  it('has types that need no other package than those of Node', async () => {
    const reached = new Set<string>();
    const imported = new Set<string>();
    const visit = async (file: string): Promise<void> => {
      if (reached.has(file)) return;
      reached.add(file);
      const text = await readFile(file, 'utf8');
      for (const [, name = ''] of text.matchAll(/(?:from|import\(|import|types=)\s*["']([^"']+)["']/g)) {
        if (name.startsWith('.')) await visit(`${path.resolve(path.dirname(file), name)}.d.ts`);
        else imported.add(name);
      }
    };
    for (const entry of ['index.d.ts', 'testing/index.d.ts']) {
      await visit(path.join(folder, 'package', 'dist', entry));
    }
    expect(reached.size).toBeGreaterThan(5);
    expect([...imported].filter((name) => !name.startsWith('node:'))).toEqual([]);
    for (const file of reached) {
      expect(await readFile(file, 'utf8')).not.toMatch(/kafka-node|node-zookeeper-client|p-queue/);
    }
  });
});
