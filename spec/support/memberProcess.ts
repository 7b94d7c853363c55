import { createInterface } from 'node:readline';

import {
  ConnectorError,
  ZookeeperConsumerConnector,
  type ConnectorConfig,
  type ConnectorEvents,
} from '../../lib';
import { subscribe, type MemberSubscription } from './memberSubscription';

/** What the parent hands over as the first argument, as JSON. */
export type MemberProcessOptions = MemberSubscription & { readonly config: ConnectorConfig };

/** One line on stdout. */
export type MemberProcessLine =
  | { readonly line: 'started'; readonly consumerId: string }
  | { readonly line: 'event'; readonly event: keyof ConnectorEvents; readonly payload: unknown }
  | { readonly line: 'owned'; readonly partitions: Readonly<Record<string, string>> }
  | {
      readonly line: 'message';
      readonly threadId: string;
      readonly topic: string;
      readonly partition: number;
      readonly offset: number;
      readonly key: string | null;
      readonly value: string | null;
    }
  | { readonly line: 'error'; readonly code: string | null; readonly message: string }
  | { readonly line: 'closed' };

const EVENTS: readonly (keyof ConnectorEvents)[] = [
  'session:connected',
  'session:suspended',
  'session:lost',
  'rebalance:started',
  'rebalance:finished',
  'rebalance:failed',
  'partitions:released',
  'partitions:lost',
  'offsets:committed',
  'offset:reset',
  'fetch:failed',
  'partition:failed',
  'connector:closed',
];

/** What is printed is with the parent before the next message is asked for: pipes are written to synchronously. */
function print(line: MemberProcessLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function printError(error: unknown): void {
  const code = ConnectorError.is(error) ? error.code : null;
  print({ line: 'error', code, message: error instanceof Error ? error.message : String(error) });
}

/**
 * A member of a group in a process of its own. The line "stop" on stdin ends it in the clean way, after which the
 * process ends by itself, since nothing keeps it; the end of stdin before that ends it at once.
 */
async function run(options: MemberProcessOptions): Promise<void> {
  const connector = new ZookeeperConsumerConnector(options.config);
  let isStopping = false;
  const commands = createInterface({ input: process.stdin });
  commands.on('line', () => {
    isStopping = true;
    commands.close();
    process.stdin.destroy();
    void connector.shutdown().then(() => print({ line: 'closed' }));
  });
  commands.on('close', () => {
    if (!isStopping) process.exit(3);
  });

  const printOwned = (): void => {
    const owned = connector.ownedPartitions();
    const entries = owned.map(({ topic, partition, threadId }) => [`${topic}/${partition}`, threadId]);
    print({ line: 'owned', partitions: Object.fromEntries(entries) as Record<string, string> });
  };
  for (const event of EVENTS) {
    connector.on(event, (payload) => {
      print({ line: 'event', event, payload });
      if (event.startsWith('partitions:') || event === 'rebalance:finished') printOwned();
    });
  }

  try {
    const streams = [...(await subscribe(connector, options)).values()].flat();
    print({ line: 'started', consumerId: connector.consumerId });
    await Promise.all(
      streams.map(async (stream) => {
        for await (const { topic, partition, offset, key, value } of stream) {
          const text = { key: key?.toString() ?? null, value: value?.toString() ?? null };
          print({ line: 'message', threadId: stream.threadId, topic, partition, offset, ...text });
        }
      }),
    );
  } catch (error) {
    printError(error);
    // With a connector that could not start, or whose stream failed: the parent decides what comes next.
  }
}

void run(JSON.parse(process.argv[2] ?? '{}') as MemberProcessOptions).catch((error: unknown) => {
  printError(error);
  process.exitCode = 1;
});
