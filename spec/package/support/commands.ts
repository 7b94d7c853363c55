import { execFile } from 'node:child_process';
import path from 'node:path';

export const ROOT = path.resolve(__dirname, '../../..');

const LIMIT_MS = 240_000;

/** Stdout of a command; the error contains all that it printed. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, timeout: LIMIT_MS, maxBuffer: 64 << 20 };
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`${command} ${args.join(' ')}: ${error.message}\n${stdout}${stderr}`.trim()));
    });
    child.stdin?.end();
  });
}

/** Into an empty folder, as a user would; what is in npm's cache is not asked for again. */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  const options = ['--omit=optional', '--no-save', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', '--prefix', folder, ...options, ...packages], folder);
}
