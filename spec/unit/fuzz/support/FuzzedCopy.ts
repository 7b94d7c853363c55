import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { edited, type Edit } from '../../../mutations/mutation';

const ROOT = path.resolve(__dirname, '../../../..');
/** What the command needs. */
const COPIED = [
  ...['lib', 'package.json', 'tsconfig.json', 'spec/fuzz', 'spec/fixtures/fetch'],
  ...['spec/support/records', 'spec/support/mutating', 'spec/support/capture', 'spec/support/randomOf.ts'],
  'spec/unit/kafka/support',
];

/** A copy of the code, in which the fuzz command can be run with faults. */
export class FuzzedCopy {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async make(): Promise<FuzzedCopy> {
    const folder = await mkdtemp(path.join(tmpdir(), 'fuzzed-'));
    for (const name of COPIED) await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
    await symlink(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
    return new FuzzedCopy(folder);
  }

  /** Runs the command with these edits made; they are undone afterwards. */
  async run(edits: readonly Edit[], args: readonly string[]): Promise<{ code: number | null; text: string }> {
    const originals = new Map<string, string>();
    try {
      for (const edit of edits) {
        const file = path.join(this.#folder, edit.file);
        const text = await readFile(file, 'utf8');
        if (!originals.has(file)) originals.set(file, text);
        await writeFile(file, edited(text, edit));
      }
      return await this.#spawn(args);
    } finally {
      for (const [file, text] of originals) await writeFile(file, text);
    }
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #spawn(args: readonly string[]): Promise<{ code: number | null; text: string }> {
    const child = spawn(process.execPath, ['--import', 'tsx', 'spec/fuzz/run.ts', ...args], {
      cwd: this.#folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    }
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, text };
  }
}
