/*
 * Makes spec/fixtures/fetch/*.json: `npm run capture`, or `npm run capture -- 0.9.0.1 3.9.1` for some releases.
 *
 * For each Kafka release it starts a real cluster of that release (spec/support/cluster) and lets the release's own Java
 * producer (spec/support/jvm) write to topics of one partition, one batch with each send. What was produced is noted from the
 * producers' side: keys, values, headers and timestamps as they were given, offsets as they were told, and by the rules of
 * transactions and compaction which of them not every consumer may see. Then it fetches with each version of Fetch that the
 * broker takes, by an encoder of its own (fetchBytes.ts), and keeps the answers' bytes as they came. Nothing of lib is
 * used, so that a fault there cannot hide in the fixtures.
 *
 * Message timestamps are given and names are fixed; the broker's own times (append time, transaction markers) and ids differ
 * from run to run, and with them some checksums and sizes.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { RealCluster } from '../cluster/RealCluster';
import type { BrokerProperties } from '../cluster/TestCluster';
import type { CapturedTopic } from './captured';
import { compacted, emptied } from './compaction';
import { CAPTURED_RELEASES, releaseOf } from './releases';
import { appendTime, headers, mixedFormats, nested, oldProducer, plainCodec, topicCodec } from './scenarios';
import type { TopicUnderCapture } from './TopicUnderCapture';
import { transactions } from './transactions';

type Scenario = (cluster: RealCluster) => Promise<TopicUnderCapture>;

const FOLDER = path.resolve(__dirname, '../../fixtures/fetch');
const BROKER = { 'log.cleaner.enable': 'true', 'log.cleaner.backoff.ms': '100' };
/** The timestamps of the messages are years old. */
const KEEP = { 'log.retention.ms': '-1' };
/** 3.0 and later store in older formats only if brokers before 3.0 may be in the cluster. */
const OLD_FORMATS = { 'inter.broker.protocol.version': '2.8' };

function scenariosOf(kafka: string): Scenario[] {
  const { codecs, format } = releaseOf(kafka);
  const newest = codecs.at(-1) ?? 'none';
  const scenarios: Scenario[] = codecs.map((codec) => (cluster) => plainCodec(cluster, codec));
  if (!kafka.startsWith('0.8.')) scenarios.push((cluster) => compacted(cluster, 'gzip'));
  if (kafka === '0.9.0.1') scenarios.push(nested);
  if (format >= 1) {
    scenarios.push((cluster) => appendTime(cluster, 'none'));
    scenarios.push((cluster) => appendTime(cluster, 'snappy'));
    scenarios.push((cluster) => oldProducer(cluster, 'lz4'));
    if (kafka !== '3.9.1') scenarios.push((cluster) => mixedFormats(cluster, 'gzip'));
  }
  if (newest === 'zstd') scenarios.push((cluster) => topicCodec(cluster, newest));
  if (format === 2) {
    scenarios.push((cluster) => headers(cluster, 'none'));
    scenarios.push((cluster) => headers(cluster, newest));
    scenarios.push((cluster) => emptied(cluster, 'gzip'));
    scenarios.push((cluster) => transactions(cluster, 'none'));
    scenarios.push((cluster) => transactions(cluster, newest));
  }
  return scenarios;
}

async function captureOn(
  kafka: string,
  properties: BrokerProperties,
  scenarios: readonly Scenario[],
): Promise<void> {
  const { format } = releaseOf(kafka);
  const brokerProperties = { ...BROKER, ...(format === 0 ? {} : KEEP), ...properties };
  await using cluster = await RealCluster.start({ kafka, brokerProperties });
  for (const scenario of scenarios) {
    const topic = await scenario(cluster);
    const text = jsonText(topic.toJson());
    await writeFile(path.join(FOLDER, `${topic.name}.json`), text);
    process.stdout.write(`${topic.name}: ${text.length} bytes\n`);
  }
}

/** One line for each message and each capture. */
function jsonText({ messages, captures, ...head }: CapturedTopic): string {
  const list = (items: readonly unknown[]): string =>
    items.map((item) => JSON.stringify(item)).join(',\n    ');
  const start = JSON.stringify(head, null, 2).replace(/\n\}$/, '');
  return `${start},\n  "messages": [\n    ${list(messages)}\n  ],\n  "captures": [\n    ${list(captures)}\n  ]\n}\n`;
}

async function main(): Promise<void> {
  const wanted = process.argv.slice(2);
  await mkdir(FOLDER, { recursive: true });
  for (const kafka of wanted.length === 0 ? CAPTURED_RELEASES : wanted) {
    for (const name of await readdir(FOLDER))
      if (name.startsWith(`${kafka}-`)) await rm(path.join(FOLDER, name));
    await captureOn(kafka, {}, scenariosOf(kafka));
    if (kafka === '3.9.1') {
      await captureOn(kafka, OLD_FORMATS, [(cluster) => mixedFormats(cluster, 'gzip')]);
    }
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? String(error.stack) : String(error)}\n`);
  process.exitCode = 1;
});
