import { fetch } from '../../../../../lib/testing/kafka/protocol/fetch';
import type { BrokerClient } from './BrokerClient';
import type { fetchOf } from './records';
import type { TestBrokers } from './TestBrokers';

/** Appends to a log without a request. */
export function append(brokers: TestBrokers, topic: string, records: Buffer, partition = 0): void {
  const version = brokers.kafka.generation === '0.8' ? 0 : 3;
  const result = brokers.kafka.topics.get(topic)?.partitions[partition]?.log.append(records, version);
  expect(result?.errorCode).toBe(0);
}

/** The only partition of the answer to a Fetch. */
export async function askOne(client: BrokerClient, version: number, request: ReturnType<typeof fetchOf>) {
  const answer = await client.ask(fetch, version, request);
  const [partition] = answer.responses[0]?.partitions ?? [];
  if (partition === undefined) throw new Error('an answer without a partition');
  return partition;
}
