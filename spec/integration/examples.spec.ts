import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { ExampleProcess } from '../../examples/demo/ExampleProcess';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { freePorts } from '../support/cluster/freePorts';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { Producer, type ProducedMessage } from '../support/produce/Producer';
import { waitFor, withDeadline } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(300_000);

const EXAMPLES = ['ConsumerGroupExample.ts', 'batches.ts', 'poisonMessages.ts', 'topicFilter.ts'];
const OPTIONS = ['--zookeeper', '--group', '--topic', '--threads', '--from-beginning', '--consumer-id'];

/** Processes of the test that runs. */
const running: ExampleProcess[] = [];

function start(file: string, ...args: string[]): ExampleProcess {
  const example = new ExampleProcess(file, args);
  running.push(example);
  return example;
}

/** How it ended, by itself. */
function ended({ exited }: ExampleProcess): Promise<number | NodeJS.Signals> {
  return withDeadline(exited, 30_000, 'end of the example');
}

/** How it ended after a signal, which must not take longer than 5 s. */
function stopped(example: ExampleProcess, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
  return withDeadline(example.end(signal), 5000, `end of the example after ${signal}`);
}

async function until<T>(description: string, condition: () => T | Promise<T>): ReturnType<typeof waitFor<T>> {
  return waitFor(condition, {
    timeoutMs: 30_000,
    description,
    details: () => running.map(({ stdout, stderr }) => [...stdout, ...stderr].join('\n')).join('\n---\n'),
  });
}

const values = (...texts: string[]): ProducedMessage[] => texts.map((value) => ({ value }));

afterEach(async () => {
  await Promise.all(running.splice(0).map((example) => example.end('SIGKILL')));
});

describe.each(EXAMPLES)('the command line of %s', (file) => {
  it('explains every option with --help', async () => {
    const example = start(file, '--help');
    await expect(ended(example)).resolves.toBe(0);
    const text = example.stdout.join('\n');
    for (const option of [...OPTIONS, '--property', '--help']) expect(text).toContain(`  ${option} `);
    expect(text).toContain(`tsx examples/${file} CONNECT GROUP TOPIC THREADS`);
    expect(example.stderr).toEqual([]);
  });
});

describe('wrong arguments', () => {
  const named = ['--zookeeper', 'localhost:2181', '--group', 'g', '--topic', 't'];

  it.each([
    { fault: 'nothing at all', args: [], says: '--zookeeper is missing' },
    { fault: 'no group', args: ['--zookeeper', 'localhost:2181'], says: '--group is missing' },
    { fault: 'no topic', args: named.slice(0, 4), says: '--topic is missing' },
    { fault: 'a number of threads that is none', args: [...named, '--threads', 'two'], says: 'not "two"' },
    {
      fault: 'no thread',
      args: [...named, '--threads', '0'],
      says: '--threads must be a whole number from 1',
    },
    { fault: 'a property without value', args: [...named, '--property', 'x'], says: 'KEY=VALUE, not "x"' },
    { fault: 'an unknown option', args: [...named, '--topics', 't'], says: "Unknown option '--topics'" },
    { fault: 'too few in the classic form', args: ['localhost:2181', 'g', 't'], says: 'CONNECT GROUP TOPIC' },
    { fault: 'both forms', args: [...named, 'localhost:2181', 'g', 't', '1'], says: 'CONNECT GROUP TOPIC' },
  ])('end with exit code 2 and a sentence on stderr: $fault', async ({ args, says }) => {
    const example = start('ConsumerGroupExample.ts', ...args);
    await expect(ended(example)).resolves.toBe(2);
    expect(example.stderr).toEqual([expect.stringContaining(says), '--help explains the arguments.']);
    expect(example.stdout).toEqual([]);
  });
});

describe('errors of the connector', () => {
  it.each(EXAMPLES)(
    'end %s with exit code 1 and the code, such as an unreachable ZooKeeper',
    async (file) => {
      const [port] = await freePorts(1);
      const limit = 'zookeeper.connection.timeout.ms=1000';
      const example = start(file, `127.0.0.1:${String(port)}/kafka`, 'g', 't', '1', '--property', limit);
      await expect(ended(example)).resolves.toBe(1);
      expect(example.stderr).toEqual([expect.stringMatching(/^ZOOKEEPER_UNREACHABLE: ./)]);
    },
  );

  it.each(EXAMPLES)('are not what %s ends with when it is stopped while it connects', async (file) => {
    const silent = createServer();
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection') as Promise<[Socket]>;
    const { port } = silent.address() as AddressInfo;
    const example = start(file, `127.0.0.1:${port}/kafka`, 'g', 't', '1');
    const [socket] = await connected;
    await expect(stopped(example, 'SIGINT')).resolves.toBe(0);
    expect(example.stderr).toEqual([]);
    socket.destroy();
    silent.close();
  });

  it('name the setting that is wrong', async () => {
    const wrong = ['--property', 'auto.commit.interval.ms=soon'];
    const example = start('ConsumerGroupExample.ts', 'localhost:2181', 'g', 't', '1', ...wrong);
    await expect(ended(example)).resolves.toBe(1);
    expect(example.stderr.join('\n')).toMatch(/^CONFIG_INVALID: .*auto\.commit\.interval\.ms.*"soon"/s);
  });
});

describe.each([
  {
    kafka: '0.8.2.2',
    magic: 0 as const,
    tooLarge: ['skipped everything before offset 2 of large/0: MESSAGE_TOO_LARGE'],
  },
  // Brokers of this age send one message in any case.
  { kafka: '3.9.1', magic: 1 as const, tooLarge: [] },
])('with a cluster of Kafka $kafka', ({ kafka, magic, tooLarge }) => {
  let cluster: TestCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await startCluster({ kafka });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    await cluster.stop();
  });

  const send = (topic: string, partition: number, ...texts: string[]): Promise<number> => {
    return producer.send(topic, partition, values(...texts), { magic });
  };

  const join = (file: string, topic: string, ...more: string[]): ExampleProcess => {
    const named = ['--zookeeper', cluster.zookeeperConnect, '--group', `of-${topic}`, '--topic', topic];
    return start(file, ...named, '--from-beginning', ...more);
  };

  const storedOffset = async (topic: string, partition: number): Promise<string | undefined> => {
    const node = await zookeeper.get(`/consumers/of-${topic}/offsets/${topic}/${partition}`);
    return node?.data?.toString();
  };

  /** Members, owned partitions, and ephemeral nodes of any session: none may be left. */
  const leftBehind = async (topic: string): Promise<string[]> => [
    ...(await zookeeper.children(`/consumers/of-${topic}/ids`)),
    ...(await zookeeper.children(`/consumers/of-${topic}/owners/${topic}`)),
    ...(await cluster.sessions()).flatMap(({ ephemerals }) => {
      return ephemerals.filter((path) => path.includes(`/consumers/of-${topic}/`));
    }),
  ];

  it('two members share a topic, print what they own and get, and leave in order', async () => {
    await cluster.createTopic('shared', { partitions: 4 });
    const classic = [cluster.zookeeperConnect, 'of-shared', 'shared', '1', '--from-beginning'];
    const a = start('ConsumerGroupExample.ts', ...classic, '--consumer-id', 'a');
    const owns = (thread: string, ...partitions: number[]): string => {
      return `  of-shared_${thread} owns ${partitions.map((p) => `shared/${p}`).join(' ')}`;
    };
    const gets = (thread: string, partition: number): string[] => {
      return ['one', 'two'].map((value, offset) => {
        return `of-shared_${thread}  shared/${partition}  offset ${offset}  key null  value "${value}"`;
      });
    };

    await until('all partitions for a', () => a.stderr.includes(owns('a-0', 0, 1, 2, 3)));
    const b = join('ConsumerGroupExample.ts', 'shared', '--threads', '2', '--consumer-id', 'b');
    await until('a share for each thread', () => {
      const lines = [...a.stderr, ...b.stderr];
      return [owns('a-0', 0, 1), owns('b-0', 2), owns('b-1', 3)].every((line) => lines.includes(line));
    });
    for (const partition of [0, 1, 2, 3]) await send('shared', partition, 'one', 'two');
    await until('all messages', () => a.stdout.length + b.stdout.length === 8);
    expect([...a.stdout].sort()).toEqual([...gets('a-0', 0), ...gets('a-0', 1)]);
    expect([...b.stdout].sort()).toEqual([...gets('b-0', 2), ...gets('b-1', 3)]);

    await expect(stopped(b, 'SIGTERM')).resolves.toBe(0);
    await until('all partitions for a again', () => a.stderr.at(-1) === owns('a-0', 0, 1, 2, 3));
    await expect(stopped(a, 'SIGINT')).resolves.toBe(0);
    expect([a.stderr.at(-1), b.stderr.at(-1)]).toEqual(Array(2).fill('committed and left the group'));
    await expect(leftBehind('shared')).resolves.toEqual([]);
    const offsets = [0, 1, 2, 3].map((partition) => storedOffset('shared', partition));
    await expect(Promise.all(offsets)).resolves.toEqual(['2', '2', '2', '2']);
  });

  it('the batches example commits exactly what it prints', async () => {
    await cluster.createTopic('batched', { partitions: 2 });
    await send('batched', 0, ...Array.from({ length: 250 }, (_, n) => String(n)));
    await send('batched', 1, 'only');
    const example = join('batches.ts', 'batched', '--threads', '2', '--consumer-id', 'm');
    const says = (partition: number, text: string): string => {
      return `of-batched_m-${partition}  batched/${partition}  ${text}`;
    };
    await until('the last batches', () => {
      return [says(0, 'committed 250'), says(1, 'committed 1')].every((line) =>
        example.stdout.includes(line),
      );
    });
    await expect(storedOffset('batched', 0)).resolves.toBe('250');
    await expect(storedOffset('batched', 1)).resolves.toBe('1');
    expect(example.stdout.filter((line) => line.includes('batched/0'))).toEqual([
      ...[says(0, '100 messages'), says(0, 'committed 100')],
      ...[says(0, '100 messages'), says(0, 'committed 200')],
      ...[says(0, '50 messages'), says(0, 'committed 250')],
    ]);
    await expect(stopped(example, 'SIGINT')).resolves.toBe(0);
    expect(example.stderr).toEqual(['left the group']);
    await expect(leftBehind('batched')).resolves.toEqual([]);
  });

  it('the example of a topic filter gets topics that are created later, and says who owns what', async () => {
    await cluster.createTopic('filtered.a', { partitions: 2 });
    await send('filtered.a', 1, 'early');
    const named = ['--zookeeper', cluster.zookeeperConnect, '--group', 'filters', '--topic', 'filtered\\..*'];
    const more = ['--from-beginning', '--consumer-id', 'm', '--threads', '2'];
    const example = start('topicFilter.ts', ...named, ...more);
    const prefix = 'filters_m';
    await until('the first message', () => example.stdout.length === 1);
    await cluster.createTopic('filtered.b', { partitions: 1 });
    await send('filtered.b', 0, 'late');
    await until('the message of the new topic', () => example.stdout.length === 2);
    expect(example.stdout).toEqual([
      `${prefix}-1  filtered.a/1  offset 0  value "early"`,
      `${prefix}-0  filtered.b/0  offset 0  value "late"`,
    ]);
    expect(example.stderr).toContain('releases filtered.a/0,1');
    expect(example.stderr).toContain('owns 1 of 1 partitions of filtered.b');
    await expect(stopped(example, 'SIGINT')).resolves.toBe(0);
    expect(example.stderr.at(-1)).toBe('left the group');
  });

  it('the example of poison messages goes on behind each of them', async () => {
    await cluster.createTopic('poisoned', { partitions: 2 });
    await send('poisoned', 0, '{"n":1}', 'no JSON', '{"n":2}', '{');
    await send('poisoned', 1, '?', '{"n":3}');
    const example = join('poisonMessages.ts', 'poisoned', '--consumer-id', 'm');
    await until('everything', () => example.stdout.length === 3 && example.stderr.length === 3);
    const thread = 'of-poisoned_m-0  poisoned';
    expect([...example.stdout].sort()).toEqual([
      `${thread}/0  offset 0  {"n":1}`,
      `${thread}/0  offset 2  {"n":2}`,
      `${thread}/1  offset 1  {"n":3}`,
    ]);
    expect([...example.stderr].sort()).toEqual([
      'skipped everything before offset 1 of poisoned/1: DECODE_FAILED',
      'skipped everything before offset 2 of poisoned/0: DECODE_FAILED',
      'skipped everything before offset 4 of poisoned/0: DECODE_FAILED',
    ]);
    await expect(stopped(example, 'SIGTERM')).resolves.toBe(0);
    await expect(storedOffset('poisoned', 0)).resolves.toBe('4');
    await expect(storedOffset('poisoned', 1)).resolves.toBe('2');
    await expect(leftBehind('poisoned')).resolves.toEqual([]);
  });

  it('the example of poison messages gets past one that is too large for the broker to send', async () => {
    await cluster.createTopic('large');
    await send('large', 0, '{"n":1}', JSON.stringify('x'.repeat(5000)), '{"n":2}');
    const limits = ['--property', 'fetch.message.max.bytes=1000', '--property', 'fetch.max.bytes=2000'];
    const example = join('poisonMessages.ts', 'large', '--consumer-id', 'm', ...limits);
    await until('what is behind it', () =>
      example.stdout.includes('of-large_m-0  large/0  offset 2  {"n":2}'),
    );
    expect(example.stderr).toEqual(tooLarge);
    await expect(stopped(example, 'SIGTERM')).resolves.toBe(0);
    await expect(storedOffset('large', 0)).resolves.toBe('3');
  });
});
