import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const ROOT = path.resolve(__dirname, '../..');
const run = promisify(execFile);

/** What a result is a result of: day, commit and Node. */
export async function codeState(): Promise<{
  readonly date: string;
  readonly commit: string;
  readonly node: string;
}> {
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', args, { cwd: ROOT })).stdout.trim();
  const commit = await git('rev-parse', '--short=12', 'HEAD');
  const changes = await git('status', '--porcelain', '--', 'lib');
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: changes === '' ? commit : `${commit}+changes`,
    node: process.versions.node,
  };
}
