import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { npmInstall, ROOT, run } from './support/commands';
import { pack } from './support/tarball';

/** The oldest that is supported, and the newest of each line. */
const NODES = ['20.0.0', '20.20.2', '22.23.5', '24.22.3'];
/** Older ones have no Symbol.asyncDispose. */
const WITH_DISPOSE = NODES.filter((version) => version !== '20.0.0');

const TYPES = ['@types/node@20.19.43'];
const FIXTURES = path.join(__dirname, 'fixture');
const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

/** What users' projects are set to. Paths in node_modules only resolve from inside the folder. */
const COMPILERS = [
  { name: 'node20-esm', type: 'module', options: { module: 'node20' } },
  { name: 'nodenext-commonjs', type: 'commonjs', options: { module: 'nodenext' } },
  {
    name: 'node10',
    type: 'commonjs',
    options: { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  },
  { name: 'bundler', type: 'module', options: { module: 'esnext', moduleResolution: 'bundler' } },
];

jest.setTimeout(300_000);

describe('the package, installed in an empty folder', () => {
  let folder: string;
  const nodeBinary = (version: string): string =>
    path.join(folder, 'nodes', 'node_modules', `node-${version}`, 'bin', 'node');

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'package-'));
    const { file } = await pack(folder);
    await npmInstall(folder, [file, ...TYPES]);
    const platform = `${process.platform}-${process.arch}`;
    await mkdir(path.join(folder, 'nodes'));
    const nodes = NODES.map((version) => `node-${version}@npm:node-${platform}@${version}`);
    await npmInstall(path.join(folder, 'nodes'), nodes);
    for (const name of ['load.cjs', 'load.mjs', 'tryPackage.cjs'])
      await copyFile(path.join(FIXTURES, name), path.join(folder, name));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  describe.each(NODES)('on Node %s', (version) => {
    it.each(['load.cjs', 'load.mjs'])(
      'is loaded by name, refuses a wrong configuration, and reads from an embedded cluster (%s)',
      async (file) => {
        await expect(run(nodeBinary(version), ['--version'], folder)).resolves.toBe(`v${version}\n`);
        const printed: unknown = JSON.parse(await run(nodeBinary(version), [file], folder));
        expect(printed).toEqual({
          code: 'CONFIG_INVALID',
          decoders: ['view', 'copy', 'utf8', 'json'],
          received: 'hello',
        });
      },
    );
  });

  describe.each(COMPILERS)('for TypeScript with $name', ({ name, type, options }) => {
    it('has the types that it promises, and "await using" shuts down', async () => {
      const project = path.join(folder, name);
      await mkdir(project);
      await writeFile(path.join(project, 'package.json'), JSON.stringify({ type }));
      const files = ['consumer.ts', 'dispose.ts', 'embedded.ts'];
      for (const file of files) await copyFile(path.join(FIXTURES, file), path.join(project, file));
      const compilerOptions = {
        ...{
          target: 'es2022',
          lib: ['es2022', 'esnext.disposable'],
          types: ['node'],
          outDir: 'out',
          rootDir: '.',
        },
        ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, ...options },
      };
      await writeFile(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      await run(process.execPath, [TSC, '-p', project], project);
      for (const version of WITH_DISPOSE) {
        const printed: unknown = JSON.parse(await run(nodeBinary(version), ['out/dispose.js'], project));
        expect({ version, printed }).toEqual({ version, printed: ['idle', 'closed'] });
      }
    });
  });
});
