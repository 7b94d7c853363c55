import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { findJavaTool } from '../spec/support/cluster/javaTools';
import type { TestCluster } from '../spec/support/cluster/TestCluster';
import type { Cell } from './cells';
import type { Contents } from './figures';

export const PARTITIONS = 12;

const LIMIT_MS = 600_000;
const run = promisify(execFile);

/** A topic with so many messages of the cell's kind. */
export interface LoadedTopic extends Contents {
  readonly topic: string;
}

/** Makes the topic and fills it with the Java producer of the same release (java/Loader.java). */
export async function loadTopic(
  cluster: TestCluster,
  javaClasspath: string,
  { sizeBytes, codec }: Cell,
  messages: number,
): Promise<LoadedTopic> {
  const topic = `bench-${sizeBytes}-${codec}-${messages}`;
  await cluster.createTopic(topic, { partitions: PARTITIONS });
  const [broker] = cluster.brokers;
  if (broker === undefined) throw new Error('the cluster has no broker');
  const what = [topic, PARTITIONS, messages, sizeBytes, codec].map(String);
  const args = ['-cp', javaClasspath, 'Loader', `${broker.host}:${broker.port}`, ...what];
  const { stdout } = await run(findJavaTool('java'), args, { timeout: LIMIT_MS });
  const loaded = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Contents;
  if (loaded.messages !== messages) throw new Error(`${loaded.messages} of ${messages} messages were loaded`);
  return { topic, ...loaded };
}
