// Kafka's console producer, of the JVM, on the embedded cluster.
import { EmbeddedCluster, type EmbeddedClusterOptions } from '../../lib/testing';
import { runJavaMain } from '../support/clients/javaMain';
import { LocalMember } from '../support/LocalMember';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

type Generation = NonNullable<EmbeddedClusterOptions['kafka']>;

const LINES = Array.from({ length: 200 }, (_, index) => `line ${index}`);

/** Of a member alone in its group. */
async function readAll(
  cluster: EmbeddedCluster,
  topic: string,
  count: number,
): Promise<LocalMember['messages']> {
  const { zookeeperConnect } = cluster;
  await using member = await LocalMember.start({
    zookeeperConnect,
    group: `of-${topic}`,
    topics: { [topic]: 1 },
  });
  await waitFor(() => member.messages.length >= count, {
    timeoutMs: 20_000,
    description: `${count} messages`,
  });
  await member.stop();
  return member.messages;
}

describe.each<{ release: string; kafka: Generation }>([
  { release: '0.8.2.2', kafka: '0.8' },
  { release: '0.8.2.2', kafka: '3.9' },
  { release: '0.10.2.2', kafka: '0.10.2' },
  { release: '1.1.1', kafka: '1.1' },
  { release: '3.9.1', kafka: '3.9' },
])('the console producer of Kafka $release on embedded brokers of $kafka', ({ release, kafka }) => {
  it.each(['none', 'gzip'])('writes what a member then reads, compression %s', async (codec) => {
    await using cluster = await EmbeddedCluster.start({ kafka, brokers: 2, topics: { lines: 3 } });
    const options = [
      '--broker-list',
      cluster.bootstrapServers,
      '--topic',
      'lines',
      '--compression-codec',
      codec,
    ];
    await runJavaMain(release, 'kafka.tools.ConsoleProducer', options, { input: LINES });
    const messages = await readAll(cluster, 'lines', LINES.length);
    const values = messages.map(({ value }) => value);
    expect([...values].sort()).toEqual([...LINES].sort());
    const offsets = messages.map(({ partition, offset }) => `${partition}@${offset}`);
    expect(new Set(offsets).size).toBe(LINES.length);
  });
});
