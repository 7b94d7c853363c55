import path from 'node:path';
import { parseArgs } from 'node:util';

// In your own project: from 'zookeeper-consumer-connector'.
import { ConnectorError, type ConnectorConfig } from '../lib';

/** What the command line of an example says. */
export interface Arguments {
  readonly config: ConnectorConfig;
  readonly topic: string;
  readonly threads: number;
}

const NAMED = ['zookeeper', 'group', 'topic', 'threads'] as const;

const helpFor = (purpose: string, file: string): string => `${purpose}

  tsx ${file} --zookeeper CONNECT --group GROUP --topic TOPIC [option]...
  tsx ${file} CONNECT GROUP TOPIC THREADS [option]...

  --zookeeper CONNECT   ZooKeeper of the brokers, with its chroot if there is one: localhost:2181/kafka
  --group GROUP         name of the consumer group; its members share the partitions of the topic
  --topic TOPIC         name of the topic
  --threads N           number of streams, each with a loop of its own (default 1)
  --from-beginning      starts with the oldest message where the group has no offset yet
  --consumer-id ID      name of this member, unique in its group (default: generated)
  --property KEY=VALUE  any other setting of the connector; may be given several times
  --help                prints this text

Ctrl-C stops it in order.
`;

/**
 * Reads the command line and runs an example with it. The exit code is 2 for wrong arguments, 1 after a ConnectorError.
 */
export async function runExample(purpose: string, run: (args: Arguments) => Promise<void>): Promise<void> {
  let args: Arguments | 'help';
  try {
    args = readArguments(process.argv.slice(2));
  } catch (error) {
    console.error(
      `${error instanceof Error ? error.message : String(error)}\n--help explains the arguments.`,
    );
    process.exitCode = 2;
    return;
  }
  if (args === 'help') {
    process.stdout.write(helpFor(purpose, path.relative('', process.argv[1] ?? '')));
    return;
  }
  try {
    await run(args);
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    if (error.code === 'CONNECTOR_CLOSED') return; // stopped while it started
    console.error(`${error.code}: ${error.message}`);
    process.exitCode = 1;
  }
}

function readArguments(args: string[]): Arguments | 'help' {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      zookeeper: { type: 'string' },
      group: { type: 'string' },
      topic: { type: 'string' },
      threads: { type: 'string' },
      'from-beginning': { type: 'boolean', default: false },
      'consumer-id': { type: 'string' },
      property: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return 'help';
  if (positionals.length > 0) {
    // The form of Kafka's own ConsumerGroupExample.
    if (positionals.length !== NAMED.length || NAMED.some((name) => values[name] !== undefined)) {
      throw new Error(`either CONNECT GROUP TOPIC THREADS or options, not: ${positionals.join(' ')}`);
    }
    for (const [index, text] of positionals.entries()) values[NAMED[index] ?? 'topic'] = text;
  }
  const { zookeeper, group, topic, threads = '1', 'consumer-id': consumerId } = values;
  if (!zookeeper) throw new Error('--zookeeper is missing, such as localhost:2181/kafka');
  if (!group) throw new Error('--group is missing: the name of the consumer group');
  if (!topic) throw new Error('--topic is missing: the name of the topic');
  if (!/^[1-9]\d{0,3}$/.test(threads)) {
    throw new Error(`--threads must be a whole number from 1 on, not "${threads}"`);
  }
  const config: ConnectorConfig = {
    ...readProperties(values.property),
    'zookeeper.connect': zookeeper,
    'group.id': group,
    ...(consumerId === undefined ? {} : { 'consumer.id': consumerId }),
    ...(values['from-beginning'] ? { 'auto.offset.reset': 'smallest' } : {}),
  };
  return { config, topic, threads: Number(threads) };
}

/** Texts as in a properties file; the connector checks them. */
function readProperties(pairs: readonly string[]): Partial<ConnectorConfig> {
  const entries = pairs.map((pair) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (key === undefined) throw new Error(`--property must be KEY=VALUE, not "${pair}"`);
    return [key, value];
  });
  return Object.fromEntries(entries) as Partial<ConnectorConfig>;
}
