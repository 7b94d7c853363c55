import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { ROOT, run } from './support/commands';
import { pack } from './support/tarball';

jest.setTimeout(120_000);

const JEST = path.join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** What a user's project has. */
const JEST_CONFIG = {
  testEnvironment: 'node',
  testMatch: ['**/*.test.ts'],
  transform: { '^.+\\.ts$': [path.join(ROOT, 'node_modules', '@swc', 'jest'), {}] },
};
const TSCONFIG = {
  compilerOptions: {
    ...{ module: 'node20', target: 'es2022', lib: ['es2022', 'esnext.disposable'], types: ['node', 'jest'] },
    ...{ strict: true, noEmit: true, typeRoots: [path.join(ROOT, 'node_modules', '@types')] },
  },
  include: ['*.ts'],
};

describe('the test that docs/testing.md shows', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'page-'));
    const { file } = await pack(folder);
    await mkdir(path.join(folder, 'node_modules'));
    await run('tar', ['-xzf', file, '-C', path.join(folder, 'node_modules')], folder);
    const installed = path.join(folder, 'node_modules', 'package');
    await symlink(path.join(ROOT, 'node_modules'), path.join(installed, 'node_modules'));
    await symlink(installed, path.join(folder, 'node_modules', 'zookeeper-consumer-connector'));
    const page = await readFile(path.join(ROOT, 'docs', 'testing.md'), 'utf8');
    const blocks = Array.from(page.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => code);
    const tests = blocks.filter((code) => code.includes("\ntest('"));
    expect(tests).toHaveLength(1);
    await writeFile(path.join(folder, 'orders.test.ts'), tests.join(''));
    await writeFile(path.join(folder, 'jest.config.json'), JSON.stringify(JEST_CONFIG));
    await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(path.join(folder, 'package.json'), '{}');
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('has the right types', async () => {
    await expect(run(process.execPath, [TSC, '-p', folder], folder)).resolves.toBe('');
  });

  it('passes as it stands there, with the packed package, and ends by itself', async () => {
    const results = path.join(folder, 'results.json');
    const args = [JEST, '--rootDir', folder, '--config', path.join(folder, 'jest.config.json'), '--ci'];
    await run(process.execPath, [...args, '--json', `--outputFile=${results}`], folder);
    const { numPassedTests, openHandles } = JSON.parse(await readFile(results, 'utf8')) as {
      numPassedTests: number;
      openHandles: unknown[];
    };
    expect({ numPassedTests, openHandles }).toEqual({ numPassedTests: 1, openHandles: [] });
  });
});
