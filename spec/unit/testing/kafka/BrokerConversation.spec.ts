import { apiVersions } from '../../../../lib/testing/kafka/protocol/apiVersions';
import { fetch } from '../../../../lib/testing/kafka/protocol/fetch';
import { heartbeat } from '../../../../lib/testing/kafka/protocol/heartbeat';
import { metadata } from '../../../../lib/testing/kafka/protocol/metadata';
import { waitFor } from '../../../support/waitFor';
import type { BrokerClient } from './support/BrokerClient';
import { TestBrokers } from './support/TestBrokers';

const CREATE_TOPICS = 19;
const UNKNOWN = 99;

function correlationIds(client: BrokerClient): number[] {
  return client.answers.map((answer) => answer.readInt32BE());
}

async function answered(client: BrokerClient, count: number): Promise<number[]> {
  await waitFor(() => client.answers.length >= count, { timeoutMs: 5000, description: `${count} answers` });
  return correlationIds(client);
}

function fetchOf(maxWaitMs: number) {
  const partitions = [{ partition: 0, fetchOffset: 0, partitionMaxBytes: 1000 }];
  return { maxWaitMs, minBytes: 1, topics: [{ topic: 't', partitions }] };
}

describe('the requests of a connection', () => {
  it('are answered in their order, so that those behind a long poll wait for it', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    client.tell(fetch, 11, fetchOf(60_000));
    client.tell(metadata, 8, { topics: [] });
    client.tell(apiVersions, 0, {});
    const other = await brokers.client();
    await other.ask(metadata, 8, { topics: [] });
    expect(client.answers).toEqual([]);
    brokers.kafka.deleteTopic('t');
    await expect(answered(client, 3)).resolves.toEqual([1, 2, 3]);
  });

  it('are forgotten when it ends', async () => {
    await using brokers = await TestBrokers.start();
    brokers.kafka.createTopic('t', [[1]]);
    const client = await brokers.client();
    client.tell(fetch, 11, fetchOf(600_000));
    client.tell(metadata, 8, { topics: [{ name: 'never' }] });
    const other = await brokers.client();
    await other.ask(metadata, 8, { topics: [] });
    client.destroy();
    await waitFor(() => brokers.network.connections().length === 1, {
      ...{ timeoutMs: 5000, description: 'the end of the connection' },
    });
    expect(brokers.kafka.topics.has('never')).toBe(false);
  });

  it('say who the client is', async () => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    const header = Buffer.from([0, 0, 0, 11, 0, 18, 0, 0, 0, 0, 0, 7, 0, 1, 0x63]);
    client.sendBytes(header);
    await expect(answered(client, 1)).resolves.toEqual([7]);
    expect(brokers.network.connections().map(({ client }) => client)).toEqual(['c']);
  });
});

describe('a request that a broker does not know', () => {
  it.each(['0.8', '0.10.2', '1.1', '3.9'] as const)('ends the connection of Kafka %s', async (generation) => {
    await using brokers = await TestBrokers.start({ generation });
    for (const [key, version] of [
      [UNKNOWN, 0],
      [CREATE_TOPICS, 50],
    ] as const) {
      const client = await brokers.client();
      client.tellRaw(key, version, Buffer.alloc(0));
      await client.closed();
      expect(client.answers).toEqual([]);
    }
  });

  it('is not answered by Kafka 0.9, which goes on with the connection', async () => {
    await using brokers = await TestBrokers.start({ generation: '0.9' });
    const client = await brokers.client();
    client.tellRaw(UNKNOWN, 0, Buffer.alloc(0));
    client.tellRaw(metadata.key, 0, Buffer.from([1]));
    client.tell(metadata, 0, { topics: [] });
    await expect(answered(client, 1)).resolves.toEqual([3]);
  });

  it('is answered if it asks for versions, in version 0', async () => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    client.tellRaw(apiVersions.key, 77, Buffer.from([0]));
    const answer = await client.next();
    // Correlation id, UNSUPPORTED_VERSION, and the one line that helps: ApiVersions has versions 0 to 4.
    expect(answer.toString('hex')).toBe('00000001' + '0023' + '00000001' + '001200000004');
  });
});

describe('a request that cannot be read', () => {
  it.each([
    ['shorter than its header', Buffer.from([0, 0, 0, 2, 0, 3])],
    [
      'with a list of two thousand million topics',
      Buffer.from('0000000e000300080000000100007fffffff', 'hex'),
    ],
    [
      'with a client id that reaches beyond its end',
      Buffer.from('0000000a0003000800000001ffff', 'hex').fill(9, 12),
    ],
  ])('ends the connection: %s', async (_, bytes) => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    client.sendBytes(bytes);
    await client.closed();
    const other = await brokers.client();
    await expect(other.ask(metadata, 8, { topics: [] })).resolves.toBeDefined();
  });
});

describe('a fault within a broker', () => {
  it('ends the connection and is told', async () => {
    await using brokers = await TestBrokers.start();
    const fault = new Error('broken');
    jest.spyOn(brokers.kafka.groups, 'heartbeat').mockImplementation(() => {
      throw fault;
    });
    const client = await brokers.client();
    client.tell(heartbeat, 4, { groupId: 'g', memberId: 'm', generationId: 1 });
    await client.closed();
    expect(brokers.faults.splice(0)).toEqual([fault]);
    const other = await brokers.client();
    await expect(other.ask(metadata, 8, { topics: [] })).resolves.toBeDefined();
  });
});
