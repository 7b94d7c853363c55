// kcat (librdkafka) on the embedded cluster.
import { EmbeddedCluster, type EmbeddedClusterOptions } from '../../lib/testing';
import { runCommand } from '../support/clients/runCommand';

jest.setTimeout(60_000);

type Generation = NonNullable<EmbeddedClusterOptions['kafka']>;

/** librdkafka finds out what a broker can do from 0.10 on; older ones it has to be told. */
const CELLS: readonly { kafka: Generation; settings: readonly string[]; codecs: readonly string[] }[] = [
  {
    kafka: '0.8',
    settings: ['-X', 'api.version.request=false', '-X', 'broker.version.fallback=0.8.2'],
    codecs: ['none', 'gzip', 'snappy'],
  },
  {
    kafka: '0.9',
    settings: ['-X', 'api.version.request=false', '-X', 'broker.version.fallback=0.9.0'],
    codecs: ['none', 'gzip', 'snappy'],
  },
  { kafka: '0.10.2', settings: [], codecs: ['none', 'gzip', 'snappy', 'lz4'] },
  { kafka: '1.1', settings: [], codecs: ['none', 'gzip', 'snappy', 'lz4'] },
  { kafka: '3.9', settings: [], codecs: ['none', 'gzip', 'snappy', 'lz4', 'zstd'] },
];
const LINES = Array.from({ length: 100 }, (_, index) => `key-${index}:value ${index}`);
const FORMAT = ['-f', '%k:%s\n'];

function linesOf(stdout: string): string[] {
  return stdout.split('\n').filter((line) => line !== '');
}

describe.each(CELLS)('kcat on embedded brokers of $kafka', ({ kafka, settings, codecs }) => {
  let cluster: EmbeddedCluster;
  const kcat = async (args: readonly string[], input: readonly string[] = []): Promise<string> => {
    const all = ['-b', cluster.bootstrapServers, ...settings, ...args];
    return (await runCommand('kcat', all, { input })).stdout;
  };

  beforeAll(async () => {
    cluster = await EmbeddedCluster.start({ kafka, brokers: 3, topics: { listed: 4 } });
  });

  afterAll(() => cluster.stop());

  it('lists brokers, topics and leaders', async () => {
    const listed = await kcat(['-L']);
    expect(listed).toContain(' 3 brokers:');
    for (const { id, host, port } of cluster.brokers)
      expect(listed).toContain(`broker ${id} at ${host}:${port}`);
    expect(listed).toContain('topic "listed" with 4 partitions:');
    expect(listed).toContain('partition 3, leader 1, replicas: 1, isrs: 1');
  });

  it.each(codecs)('writes and reads messages, compression %s', async (codec) => {
    const topic = `written-${codec}`;
    cluster.createTopic(topic, { partitions: 2 });
    await kcat(['-P', '-t', topic, '-p', '1', '-K', ':', '-z', codec], LINES);
    const read = await kcat(['-C', '-t', topic, '-p', '1', '-o', 'beginning', '-e', '-q', ...FORMAT]);
    expect(linesOf(read)).toEqual(LINES);
    expect(cluster.describeTopic(topic).map(({ endOffset }) => endOffset)).toEqual([0, LINES.length]);
    const last = await kcat(['-C', '-t', topic, '-p', '1', '-o', '-3', '-e', '-q', ...FORMAT]);
    expect(linesOf(last)).toEqual(LINES.slice(-3));
  });
});

// Groups of the coordinator are there from 0.9 on.
describe.each(CELLS.filter(({ kafka }) => kafka !== '0.8'))(
  'kcat on embedded brokers of $kafka',
  ({ kafka, settings }) => {
    it('reads as a member of a group, and goes on where it was', async () => {
      await using cluster = await EmbeddedCluster.start({ kafka, topics: { grouped: 3 } });
      cluster.produce('grouped', ['a', 'b', 'c', 'd', 'e', 'f']);
      const consume = async (count: number): Promise<string[]> => {
        // Brokers before 0.10.1 refuse librdkafka's own 45 s.
        const options = ['-X', 'session.timeout.ms=6000', '-X', 'auto.offset.reset=earliest', '-q'];
        const all = ['-b', cluster.bootstrapServers, ...settings, ...options, '-c', String(count)];
        return linesOf((await runCommand('kcat', [...all, '-G', 'kcat-group', 'grouped'])).stdout);
      };
      const first = await consume(4);
      cluster.produce('grouped', ['g', 'h', 'i']);
      const second = await consume(5);
      expect([...first, ...second].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
      const committed = [...(cluster.committedOffsets('kcat-group').get('grouped')?.values() ?? [])];
      expect(committed.reduce((sum, { offset }) => sum + offset, 0)).toBe(9);
      expect(cluster.describeGroup('kcat-group')).toMatchObject({ members: [] });
    });
  },
);
