import path from 'node:path';

import type { ServerAddress } from '../support/cluster/clusterFiles';
import { kafkaJars } from '../support/cluster/kafkaJars';
import { fourLetterWord } from '../support/fourLetterWord';

/** What the jars say that brokers and producer run on: their names, since only some have a version inside. */
export async function jarVersions(
  release: string,
): Promise<{ readonly kafka: string; readonly producer: string }> {
  const names = (await kafkaJars(release)).map((jar) => path.basename(jar, '.jar'));
  const versionOf = (prefix: RegExp): string =>
    names.find((name) => prefix.test(name))?.replace(prefix, '') ?? '';
  const kafka = versionOf(/^kafka_[\d.]+-/);
  // Kafka 0.8.1 has its producer in the same jar as the broker.
  return { kafka, producer: versionOf(/^kafka-clients-/) || kafka };
}

/** What the running server says of itself; empty if it says nothing. */
export async function zookeeperVersion(server: ServerAddress | undefined): Promise<string> {
  if (server === undefined) return '';
  return versionInAnswer(await fourLetterWord(server, 'srvr'));
}

/** In an answer to `srvr`, such as "Zookeeper version: 3.4.6-1569965, built on ..." */
export function versionInAnswer(answer: string): string {
  return /^Zookeeper version: (\d+(?:\.\d+)+)/.exec(answer)?.[1] ?? '';
}
