import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

const TOOLS = ['java', 'javac', 'keytool', 'mvn'] as const;
export type JavaTool = (typeof TOOLS)[number];

const NEEDED_FOR: Record<JavaTool, string> = {
  java: 'Real clusters run in a Java virtual machine',
  javac: 'The main class of real clusters is compiled by a JDK',
  keytool: 'The certificates of real clusters are made by a JDK',
  mvn: 'The jars of Kafka and ZooKeeper are resolved by Maven',
};

/** Path of a tool, from JAVA_HOME or PATH; an error that says what to install if there is none. */
export function findJavaTool(tool: JavaTool, env: NodeJS.ProcessEnv = process.env): string {
  const javaHome = env['JAVA_HOME'];
  const folders = pathOf(env);
  if (javaHome !== undefined && javaHome !== '' && tool !== 'mvn')
    folders.unshift(path.join(javaHome, 'bin'));
  const found = folders.map((folder) => path.join(folder, tool)).find(isExecutable);
  if (found !== undefined) return found;
  const home =
    tool === 'mvn' ? '' : javaHome ? `, nor in JAVA_HOME (${javaHome})` : ', and JAVA_HOME is not set';
  throw new Error(
    `${NEEDED_FOR[tool]}, but "${tool}" is not in PATH${home}. ` +
      `Install a JDK (11 or later) and Maven, e.g. "apt-get install openjdk-17-jdk-headless maven"` +
      (tool === 'mvn' ? '.' : ', or set JAVA_HOME to the folder of a JDK.'),
  );
}

/** Why real clusters cannot run here, with what to install; null if they can. */
export function whatJavaLacks(env: NodeJS.ProcessEnv = process.env): string | null {
  try {
    for (const tool of TOOLS) findJavaTool(tool, env);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whether there is a program of that name. */
export function isInPath(program: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return pathOf(env).some((folder) => isExecutable(path.join(folder, program)));
}

function pathOf(env: NodeJS.ProcessEnv): string[] {
  return (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Runs a tool to its end, or to that of this process; the error contains what it printed. */
export async function runJavaTool(tool: JavaTool, args: readonly string[], timeoutMs: number): Promise<void> {
  const file = findJavaTool(tool);
  let stop = (): void => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      const options = { timeout: timeoutMs, maxBuffer: 64 << 20 };
      const child = execFile(file, args, options, (error, stdout, stderr) => {
        if (error === null) resolve();
        else
          reject(
            new Error(`"${tool}" failed (${String(error.code ?? error.signal)}):\n${stdout}${stderr}`.trim()),
          );
      });
      stop = () => void child.kill();
      process.once('exit', stop);
    });
  } finally {
    process.off('exit', stop);
  }
}
