import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { RealCluster } from '../support/cluster/RealCluster';
import { isRunning } from '../support/cluster/isRunning';
import { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember } from '../support/jvm/JvmMember';
import { Producer, type ProducedMessage } from '../support/produce/Producer';
import { waitFor } from '../support/waitFor';

const ROOT = path.resolve(__dirname, '../..');

// Real servers: this is about their JVM, and about members of the JVM.
// The first run on a machine resolves the jars.
jest.setTimeout(300_000);

const values = (topic: string, partition: number, count: number): ProducedMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    key: `k${index}`,
    value: `${topic}/${partition}#${index}`,
  }));

describe.each([
  { kafka: '0.8.2.2', brokers: 3, formats: [0] as const },
  { kafka: '3.9.1', brokers: 2, formats: [0, 1] as const },
])('a cluster of Kafka $kafka with $brokers brokers', ({ kafka, brokers, formats }) => {
  let cluster: RealCluster;
  let producer: Producer;
  let zookeeper: ZookeeperAdmin;

  beforeAll(async () => {
    cluster = await RealCluster.start({ kafka, brokers });
    producer = new Producer({ brokers: cluster.brokers });
    zookeeper = await cluster.zookeeper();
  });

  afterAll(async () => {
    producer.close();
    await zookeeper.close();
    const { pid, directory } = cluster;
    await cluster.stop();
    expect({ running: isRunning(pid), directory: existsSync(directory) }).toEqual({
      running: false,
      directory: false,
    });
  });

  it('gives the original connector everything that was produced, in each format, plain and compressed', async () => {
    await cluster.createTopic('formats', { partitions: 2 });
    let count = 0;
    for (const magic of formats) {
      for (const gzip of [false, true]) {
        for (const partition of [0, 1]) {
          const offset = await producer.send('formats', partition, values('formats', partition, 5), {
            magic,
            gzip,
          });
          expect(offset).toBe(count / 2);
        }
        count += 10;
      }
    }
    await expect(producer.offset('formats', 0)).resolves.toBe(count / 2);

    await using member = await JvmMember.start({
      zookeeperConnect: cluster.zookeeperConnect,
      group: 'readers',
      topics: { formats: 2 },
      properties: { 'consumer.id': 'one' },
    });
    const limits = { timeoutMs: 20_000, details: () => member.log };
    await waitFor(() => member.messages.length >= count, { ...limits, description: 'all messages' });
    expect(member.consumerId).toBe('readers_one');
    for (const partition of [0, 1]) {
      const read = member.messages.filter((message) => message.partition === partition);
      expect(read.map(({ offset }) => offset)).toEqual(
        Array.from({ length: count / 2 }, (_, offset) => offset),
      );
      expect(read[1]).toEqual({
        ...{ threadId: `readers_one-${partition}`, topic: 'formats', partition, offset: 1 },
        ...{ key: 'k1', value: `formats/${partition}#1` },
      });
    }
    const owned = { 'formats/0': 'readers_one-0', 'formats/1': 'readers_one-1' };
    await waitFor(() => member.owned.size === 2, { ...limits, description: 'the owned partitions' });
    expect(Object.fromEntries(member.owned)).toEqual(owned);

    await member.stop();
    expect(member.errors).toEqual([]);
    await expect(zookeeper.children('/consumers/readers/ids')).resolves.toEqual([]);
    const offset = await zookeeper.get('/consumers/readers/offsets/formats/1');
    expect(offset?.data?.toString()).toBe(String(count / 2));
  });

  it('adds partitions, which lead to a rebalance of the original connector', async () => {
    await cluster.createTopic('growing', { partitions: 2 });
    await using member = await JvmMember.start({
      zookeeperConnect: cluster.zookeeperConnect,
      group: 'growers',
      topics: { growing: 1 },
    });
    await cluster.addPartitions('growing', 5);
    await producer.send('growing', 4, values('growing', 4, 3));
    const limits = { timeoutMs: 20_000, details: () => member.log };
    await waitFor(() => member.owned.size === 5, { ...limits, description: 'five partitions' });
    await waitFor(() => member.messages.length === 3, {
      ...limits,
      description: 'the messages of the new one',
    });
    expect(member.errors).toEqual([]);
  });

  it('expires the session of a member, which comes back with a new one', async () => {
    await cluster.createTopic('expiring');
    await using member = await JvmMember.start({
      zookeeperConnect: cluster.zookeeperConnect,
      group: 'expired',
      topics: { expiring: 1 },
    });
    const node = `/consumers/expired/ids/${member.consumerId}`;
    const before = (await zookeeper.get(node))?.ephemeralOwner ?? '';
    const session = (await cluster.sessions()).find(({ id }) => id === before);
    expect(session).toMatchObject({ timeoutMs: 4000 });
    expect(session?.ephemerals).toContain(`/kafka${node}`);
    await cluster.expireSession(before);
    await waitFor(async () => ((await zookeeper.get(node))?.ephemeralOwner ?? before) !== before, {
      ...{ timeoutMs: 20_000, description: 'a new registration', details: () => member.log },
    });
  });

  it('takes partitions from a member that stands still, and gives them back when it goes on', async () => {
    await cluster.createTopic('standing', { partitions: 2 });
    const options = {
      zookeeperConnect: cluster.zookeeperConnect,
      group: 'standing',
      topics: { standing: 1 },
    };
    await using one = await JvmMember.start(options);
    await using two = await JvmMember.start(options);
    const limits = { timeoutMs: 30_000, details: () => one.log };
    await waitFor(() => one.owned.size === 1, { ...limits, description: 'one partition each' });
    two.pause();
    await waitFor(() => one.owned.size === 2, { ...limits, description: 'both partitions' });
    two.resume();
    await waitFor(() => one.owned.size === 1, { ...limits, description: 'one partition each, again' });
    two.pause();
    await two.kill();
    expect(isRunning(two.pid)).toBe(false);
  });
});

describe('a cluster that cannot start', () => {
  it('fails with the reason and the end of its log', async () => {
    const start = RealCluster.start({ kafka: '3.9.1', brokerProperties: { 'num.io.threads': 'many' } });
    await expect(start).rejects.toThrow(
      /The cluster failed at "start": .*ConfigException: .*num\.io\.threads.*Last lines of the log of JVM/s,
    );
  });
});

describe('npm run cluster', () => {
  interface Line {
    kafka: string;
    zookeeper: string;
    brokers: { id: number; host: string; port: number }[];
    directory: string;
    jvmPid: number;
  }

  async function start(...args: string[]): Promise<{ child: ChildProcessWithoutNullStreams; line: Line }> {
    const file = path.join(ROOT, 'spec/support/cluster/cli.ts');
    const child = spawn(process.execPath, ['--import', 'tsx', file, ...args], { cwd: ROOT });
    const [text] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, line: JSON.parse(text) as Line };
  }

  const gone = ({ jvmPid, directory }: Line): Promise<boolean> =>
    waitFor(() => !isRunning(jvmPid) && !existsSync(directory), {
      timeoutMs: 10_000,
      description: 'the end of the JVM and its folder',
    });

  it('says where the cluster is, and ends with everything at an interrupt', async () => {
    const { child, line } = await start('--kafka', '0.8.2.2', '--brokers', '2', '--topic', 'clicks:4');
    expect(line).toMatchObject({ kafka: '0.8.2.2', brokers: [{ id: 1 }, { id: 2 }] });
    await using producer = new Producer({ brokers: line.brokers });
    await expect(producer.send('clicks', 3, [{ value: 'a' }])).resolves.toBe(0);
    await using zookeeper = await ZookeeperAdmin.connect(line.zookeeper);
    await expect(zookeeper.children('/brokers/ids')).resolves.toEqual(['1', '2']);
    const interrupted = Date.now();
    child.kill('SIGINT');
    await expect(once(child, 'close')).resolves.toEqual([0, null]);
    expect(Date.now() - interrupted).toBeLessThan(10_000);
    await expect(gone(line)).resolves.toBe(true);
  });

  it('says so and fails when its JVM ends by itself', async () => {
    const { child, line } = await start(
      '--kafka',
      '0.8.2.2',
      '--broker-property',
      'message.max.bytes=123456',
    );
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    expect(readFileSync(path.join(line.directory, 'broker-1.properties'), 'utf8')).toMatch(
      /^message\.max\.bytes ?= ?123456$/m,
    );
    process.kill(line.jvmPid, 'SIGKILL');
    await expect(once(child, 'close')).resolves.toEqual([1, null]);
    expect(errors).toContain('The JVM of the cluster has ended by itself, with signal SIGKILL');
    await expect(gone(line)).resolves.toBe(true);
  });

  it('leaves nothing behind when it is killed', async () => {
    const { child, line } = await start('--kafka', '0.8.2.2');
    child.kill('SIGKILL');
    await expect(gone(line)).resolves.toBe(true);
  });
});
