import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { edited, type Mutation, type NamedSpec } from './mutation';
import { MUTATIONS } from './mutations';
import { runJest } from './runJest';

const ROOT = path.resolve(__dirname, '../..');
/** What jest needs; the code is copied, the rest is linked. */
const COPIED = ['lib', 'spec', 'package.json', 'jest.config.js'];
const LINKED = ['node_modules', '.cluster'];

interface Outcome {
  readonly word: 'caught' | 'NOT CAUGHT' | 'broken' | 'no such test' | 'fails without it';
  /** How the spec failed. */
  readonly failure: string;
}

/** Makes each fault in a copy of the code and runs the spec that should notice it. */
async function main(wanted: string, isVerbose: boolean): Promise<number> {
  const mutations = MUTATIONS.filter(({ fault }) => fault.includes(wanted));
  const folder = await mkdtemp(path.join(tmpdir(), 'mutations-'));
  try {
    for (const name of COPIED) await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    for (const name of LINKED) await symlink(path.join(ROOT, name), path.join(folder, name));
    const wrong = await namesThatDoNotPass(folder, mutations);
    let caught = 0;
    for (const mutation of mutations) {
      const outcome = wrong.get(mutation.spec.test) ?? (await outcomeOf(folder, mutation));
      if (outcome.word === 'caught') caught += 1;
      process.stdout.write(`${outcome.word.padEnd(12)} ${mutation.fault}\n  -> ${mutation.spec.test}\n`);
      if (isVerbose) process.stdout.write(`${outcome.failure.replace(/^/gm, '     | ')}\n`);
    }
    process.stdout.write(`${caught} of ${mutations.length} faults are caught\n`);
    return caught === mutations.length ? 0 : 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the specs without any fault: they must be there and pass. */
async function namesThatDoNotPass(
  folder: string,
  mutations: readonly Mutation[],
): Promise<Map<string, Outcome>> {
  const wrong = new Map<string, Outcome>();
  const byFile = new Map<string, NamedSpec[]>();
  for (const { spec } of mutations) byFile.set(spec.file, [...(byFile.get(spec.file) ?? []), spec]);
  for (const [file, specs] of byFile) {
    const results = await runJest(folder, file, new Set(specs.map(({ test }) => test)));
    for (const { test } of specs) {
      const { status, failure = '' } = results.get(test) ?? {};
      if (status !== 'passed')
        wrong.set(test, { word: status ? 'fails without it' : 'no such test', failure });
    }
  }
  return wrong;
}

async function outcomeOf(folder: string, { edits, spec }: Mutation): Promise<Outcome> {
  const originals = new Map<string, string>();
  try {
    for (const edit of edits) {
      const file = path.join(folder, edit.file);
      const text = await readFile(file, 'utf8');
      if (!originals.has(file)) originals.set(file, text);
      await writeFile(file, edited(text, edit));
    }
    const result = (await runJest(folder, spec.file, new Set([spec.test]))).get(spec.test);
    // Without a result the code could not even be loaded: nothing is proved by that.
    if (result === undefined) return { word: 'broken', failure: '' };
    return { word: result.status === 'failed' ? 'caught' : 'NOT CAUGHT', failure: result.failure };
  } finally {
    for (const [file, text] of originals) await writeFile(file, text);
  }
}

const { values, positionals } = parseArgs({
  options: { verbose: { type: 'boolean', default: false } },
  allowPositionals: true,
});
void main(positionals[0] ?? '', values.verbose).then((code) => (process.exitCode = code));
