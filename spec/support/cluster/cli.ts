import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { RealCluster } from './RealCluster';
import { kafkaVersions } from './kafkaJars';

const HELP = `Starts ZooKeeper and Kafka brokers on free ports of this machine and runs them until it is interrupted.

  npm run cluster -- --kafka VERSION [--brokers N] [--zookeepers N] [--chroot PATH] [--topic NAME:PARTITIONS]...
                     [--broker-property KEY=VALUE]...

  --kafka VERSION          one of ${kafkaVersions().join(', ')}
  --brokers N              number of brokers, with ids from 1 (default 1)
  --zookeepers N           number of ZooKeeper servers (default 1)
  --chroot PATH            where the brokers keep their nodes (default /kafka; / for the root)
  --topic NAME:PARTITIONS  creates a topic; may be given several times
  --broker-property KEY=VALUE
                           a line of server.properties for all brokers, such as message.max.bytes=10000000;
                           may be given several times
  --help                   prints this text

One line of JSON on stdout tells where the cluster is; jvmPid is the process that it runs in. Java (a JDK) and Maven
are needed.
`;

interface Settings {
  readonly kafka: string;
  readonly brokers: number;
  readonly zookeepers: number;
  readonly chroot: string;
  readonly topics: readonly { name: string; partitions: number }[];
  readonly brokerProperties: Readonly<Record<string, string>>;
}

/** How long the signal of a terminal may take from the JVM to this process. */
const SIGNAL_MS = 500;

/** An argument that cannot be used; its message is for the user. */
class UsageError extends Error {}

function readSettings(args: string[]): Settings | 'help' {
  const { values } = parseArgs({
    args,
    options: {
      kafka: { type: 'string' },
      brokers: { type: 'string', default: '1' },
      zookeepers: { type: 'string', default: '1' },
      chroot: { type: 'string', default: '/kafka' },
      topic: { type: 'string', multiple: true, default: [] },
      'broker-property': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  const versions = kafkaVersions().join(', ');
  if (values.kafka === undefined) throw new UsageError(`--kafka is missing; there are: ${versions}`);
  if (!kafkaVersions().includes(values.kafka)) {
    throw new UsageError(`there is no Kafka "${values.kafka}"; there are: ${versions}`);
  }
  if (!/^(\/[^/,\s]+)+$|^\/?$/.test(values.chroot)) {
    throw new UsageError(`--chroot must be a path such as /kafka, not "${values.chroot}"`);
  }
  return {
    kafka: values.kafka,
    brokers: count('--brokers', values.brokers),
    zookeepers: count('--zookeepers', values.zookeepers),
    chroot: values.chroot === '/' ? '' : values.chroot,
    topics: values.topic.map((topic) => {
      const [, name = '', partitions = ''] = /^([A-Za-z0-9._-]+):(.*)$/.exec(topic) ?? [];
      if (name === '') throw new UsageError(`--topic must be NAME:PARTITIONS, not "${topic}"`);
      return { name, partitions: count(`--topic ${name}`, partitions) };
    }),
    brokerProperties: Object.fromEntries(
      values['broker-property'].map((text) => {
        const [, key = '', value = ''] = /^([^=\s]+)=(.*)$/.exec(text) ?? [];
        if (key === '') throw new UsageError(`--broker-property must be KEY=VALUE, not "${text}"`);
        return [key, value];
      }),
    ),
  };
}

function count(what: string, text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text))
    throw new UsageError(`${what} must be a whole number from 1 on, not "${text}"`);
  return Number(text);
}

async function run(settings: Settings): Promise<void> {
  const interrupted = new Promise<null>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(null));
  });
  const starting = RealCluster.start(settings);
  const early = await Promise.race([starting.then(() => false), interrupted.then(() => true)]);
  if (early) {
    // The signal of a terminal reaches the JVM, too, so that starting may fail now; either way its folder goes.
    await starting.then((cluster) => cluster.stop()).catch(() => undefined);
    return;
  }
  await using cluster = await starting;
  for (const { name, partitions } of settings.topics) await cluster.createTopic(name, { partitions });
  const { kafka, brokers, directory, zookeeperConnect: zookeeper, pid: jvmPid } = cluster;
  process.stdout.write(`${JSON.stringify({ kafka, zookeeper, brokers, directory, jvmPid })}\n`);
  const ports = brokers.map(({ host, port }) => `${host}:${port}`).join(', ');
  process.stderr.write(`Kafka ${kafka}: ZooKeeper ${zookeeper}, brokers ${ports}. Ctrl-C stops it.\n`);
  const end = await Promise.race([interrupted, cluster.ended]);
  // The signal of a terminal reaches the JVM, too, and perhaps first.
  const how = end === null ? null : await Promise.race([interrupted, delay(SIGNAL_MS, end)]);
  if (how !== null)
    throw new Error(`The JVM of the cluster has ended by itself, with ${how}:\n${cluster.log}`);
}

async function main(): Promise<number> {
  let settings: Settings | 'help';
  try {
    settings = readSettings(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
    return 2;
  }
  if (settings === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  try {
    await run(settings);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

void main().then((code) => {
  process.exitCode = code;
});
