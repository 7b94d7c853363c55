import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

import { compileJava, kafkaJars } from '../spec/support/cluster/kafkaJars';
import type { KafkaVersion } from './cells';

export const ROOT = path.resolve(__dirname, '..');
/** Where the clients are, compiled; beside them, in build/lib, is the package as its own build makes it. */
export const CLIENTS_FOLDER = path.join(__dirname, 'build', 'bench', 'clients');

const JAVA_FOLDER = path.join(__dirname, 'java');
const TSC = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

const run = promisify(execFile);

/** Installs the peers if they are missing. */
export async function installPeers(): Promise<void> {
  if (existsSync(path.join(__dirname, 'node_modules', 'kafkajs'))) return;
  await run('npm', ['ci'], { cwd: __dirname });
}

/** Compiles package and clients by tsc with the settings of `npm run build`: nothing is translated while it is measured. */
export async function buildClients(): Promise<void> {
  try {
    await run(process.execPath, [TSC, '-p', path.join(__dirname, 'tsconfig.build.json')], { cwd: ROOT });
  } catch (error) {
    throw new Error(`the build failed:\n${(error as { stdout?: string }).stdout ?? ''}`, { cause: error });
  }
}

/** Class path of the producer and the consumer of that release. */
export async function javaClasspath(kafka: KafkaVersion): Promise<string> {
  const jars = await kafkaJars(kafka);
  const sources = readdirSync(JAVA_FOLDER).filter((name) => name.endsWith('.java'));
  const files = sources.sort().map((name) => path.join(JAVA_FOLDER, name));
  return [await compileJava(`bench-${kafka}`, files, jars), ...jars].join(path.delimiter);
}
