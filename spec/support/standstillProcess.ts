import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

import { ZookeeperConsumerConnector, type ConnectorConfig, type ConnectorEvents } from '../../lib';

/** What the parent hands over as the first argument, as JSON. */
export interface StandstillOptions {
  readonly config: ConnectorConfig;
  readonly topic: string;
  /** How long each message takes. */
  readonly workMs: number;
}

/** Where the process stops: between a message and the question for the next one, or in a turn of the event loop of its own. */
export type StandstillPlace = 'in the loop body' | 'between two turns';

/** One line on stdout. `still` is the last one before the standstill. */
export type StandstillLine =
  | {
      readonly line: 'event';
      readonly event: keyof ConnectorEvents;
      readonly payload: ConnectorEvents[keyof ConnectorEvents];
    }
  | { readonly line: 'message'; readonly partition: number; readonly offset: number; readonly value: string }
  | { readonly line: 'still' }
  | { readonly line: 'closed'; readonly error: string | null };

const EVENTS = [
  'session:connected',
  'session:suspended',
  'session:lost',
  'rebalance:finished',
  'rebalance:failed',
  'partitions:released',
  'partitions:lost',
  'offsets:committed',
] as const;

/** What is printed is with the parent before the next message is asked for: pipes are written to synchronously. */
function print(line: StandstillLine): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Nothing of this process runs from here on until the parent sends SIGCONT, which it goes on from right here. */
function standStill(): void {
  print({ line: 'still' });
  process.kill(process.pid, 'SIGSTOP');
}

/**
 * A member that stops itself, since a stop from outside may fall between a hand-out and its line: then nobody could tell whether a
 * message was handed out before or after. Lines on stdin: a place to stand still at, or "stop" to end in the clean way.
 */
async function run({ config, topic, workMs }: StandstillOptions): Promise<void> {
  const connector = new ZookeeperConsumerConnector(config);
  const asked = { stop: false, still: false };
  const commands = createInterface({ input: process.stdin });
  commands.on('line', (text) => {
    if (text === 'stop') {
      asked.stop = true;
      commands.close();
      process.stdin.destroy();
      void connector.shutdown();
    } else if ((text as StandstillPlace) === 'in the loop body') asked.still = true;
    else standStill();
  });
  commands.on('close', () => {
    if (!asked.stop) process.exit(3);
  });
  for (const event of EVENTS) connector.on(event, (payload) => print({ line: 'event', event, payload }));

  const streams = await connector.createMessageStreams({ [topic]: 1 });
  for await (const { partition, offset, value } of streams.get(topic)?.[0] ?? []) {
    print({ line: 'message', partition, offset, value: String(value) });
    if (asked.still) {
      asked.still = false;
      standStill();
    } else await delay(workMs);
  }
}

void run(JSON.parse(process.argv[2] ?? '{}') as StandstillOptions)
  .then(() => print({ line: 'closed', error: null }))
  .catch((error: unknown) => print({ line: 'closed', error: String(error) }));
