import { spawn } from 'node:child_process';

export interface CommandOptions {
  /** Lines for its stdin, which ends behind them. */
  readonly input?: readonly string[];
  /** Default 30,000. */
  readonly timeoutMs?: number;
  /** Of Java programs; in the environment, since errors show the arguments. */
  readonly classpath?: string;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of other people to its end; an exit code other than 0 is an error with all that it said. */
export async function runCommand(
  file: string,
  args: readonly string[],
  { input = [], timeoutMs = 30_000, classpath }: CommandOptions = {},
): Promise<CommandResult> {
  const env = classpath === undefined ? process.env : { ...process.env, CLASSPATH: classpath };
  const child = spawn(file, args, { stdio: 'pipe', env, timeout: timeoutMs, killSignal: 'SIGKILL' });
  const stop = (): void => void child.kill('SIGKILL');
  process.once('exit', stop);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  // It may end before it has read everything; how it ended tells.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input.map((line) => `${line}\n`).join(''));
  try {
    const end = await new Promise<string>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve(signal ?? String(code)));
    });
    if (end === '0') return output;
    throw new Error(`"${[file, ...args].join(' ')}" ended with ${end}:\n${output.stdout}${output.stderr}`);
  } finally {
    process.off('exit', stop);
  }
}
