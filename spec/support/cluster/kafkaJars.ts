import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { buildOnce } from './buildOnce';
import { runJavaTool } from './javaTools';

const POMS = path.join(__dirname, 'jars');

/** Where everything that is resolved or compiled is kept; git ignores it. */
export const CACHE = path.resolve(__dirname, '../../../.cluster');

/** What a cluster can be started with: Kafka releases, some with another ZooKeeper; one folder with a pom each. */
export function kafkaVersions(): string[] {
  return readdirSync(POMS)
    .filter((name) => existsSync(path.join(POMS, name, 'pom.xml')))
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}

/** The jars of a release, resolved by Maven at the first call and whenever a pom has changed. */
export async function kafkaJars(version: string): Promise<string[]> {
  const known = kafkaVersions();
  if (!known.includes(version)) {
    throw new Error(`There is no Kafka "${version}" in ${POMS}; there are: ${known.join(', ')}`);
  }
  const pom = path.join(POMS, version, 'pom.xml');
  const stamp = hashFiles([path.join(POMS, 'pom.xml'), pom]);
  const folder = await buildOnce(path.join(CACHE, 'jars', `${version}-${stamp}`), (output) =>
    runJavaTool(
      'mvn',
      [
        ...['-q', '-B', '-Dstyle.color=never', '-f', pom, 'dependency:copy-dependencies'],
        ...['-DincludeScope=runtime', `-DoutputDirectory=${output}`],
      ],
      580_000,
    ),
  );
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jar'))
    .sort()
    .map((name) => path.join(folder, name));
}

/** Folder with the classes of these sources, compiled at the first call and whenever one of them has changed. */
export async function compileJava(
  name: string,
  sources: string[],
  classpath: string[] = [],
): Promise<string> {
  return buildOnce(path.join(CACHE, 'classes', `${name}-${hashFiles(sources)}`), (output) =>
    runJavaTool(
      'javac',
      ['--release', '11', '-nowarn', '-d', output, '-cp', classpath.join(path.delimiter), ...sources],
      120_000,
    ),
  );
}

function hashFiles(files: string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${path.basename(file)}\n`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}
