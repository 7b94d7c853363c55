import { setTimeout as delay } from 'node:timers/promises';

import { ConnectorError } from '../../../lib';
import { BrokerConnection, type BrokerEndpoint } from '../../../lib/kafka/BrokerConnection';
import { fetchRequest, type FetchedPartition } from '../../../lib/kafka/fetch';
import { listOffsetsRequest } from '../../../lib/kafka/listOffsets';
import { MessageCursor } from '../../../lib/kafka/records/MessageCursor';
import { scanMessageSet } from '../../../lib/kafka/records/messageSet';
import { findCoordinatorRequest } from '../../../lib/kafka/findCoordinator';
import { metadataRequest } from '../../../lib/kafka/metadata';
import { offsetCommitRequest } from '../../../lib/kafka/offsetCommit';
import { offsetFetchRequest } from '../../../lib/kafka/offsetFetch';
import type { KafkaRequest } from '../../../lib/kafka/wire';
import { fault, runSubject, settled, type Outcomes } from './subject';

/** What the parent hands over as the first argument, as JSON. */
export interface BrokerSubjectOptions {
  readonly broker: BrokerEndpoint;
  readonly topic: string;
  readonly partitions: number;
  readonly maxFrameBytes: number;
  /** Connections at the same time. */
  readonly slots: number;
}

const MARGIN_MS = 1500;
const TIMEOUT_MS = 250;
const WAIT_MS = 30;
const MAX_BYTES = 100_000;
const ROUNDS = 5;
const GROUP = 'subject';
/** No answer that small holds more. */
const MOST_MESSAGES = 100_000;

/** What may be wrong with a message. */
const CURSOR_CODES = ['MESSAGE_CORRUPT', 'MESSAGE_TOO_LARGE', 'CODEC_UNSUPPORTED', 'FORMAT_UNSUPPORTED'];

const options = JSON.parse(process.argv[2] ?? '{}') as BrokerSubjectOptions;
const outcomes: Outcomes = {};
let isStopping = false;

/** Reads what was fetched as a fetcher and a stream do; returns the number of messages. */
function readAll(
  { topic, partition, records, abortedTransactions }: FetchedPartition,
  fromOffset = 0,
): number {
  const { validBytes, nextOffset } = scanMessageSet(records);
  if (validBytes > records.length || !Number.isSafeInteger(nextOffset)) fault('a wrong scan of a set');
  const cursor = new MessageCursor(records, fromOffset, topic, partition, { abortedTransactions });
  let count = 0;
  try {
    for (let last = -1; cursor.advance(); last = cursor.offset) {
      count += 1;
      if (cursor.offset <= last || !Number.isSafeInteger(cursor.offset)) fault(`offset ${cursor.offset}`);
      if (count > MOST_MESSAGES) {
        fault('messages without end');
        break;
      }
    }
  } catch (error) {
    if (!ConnectorError.is(error) || !CURSOR_CODES.includes(error.code)) fault('the cursor threw', error);
    else outcomes[error.code] = (outcomes[error.code] ?? 0) + 1;
  }
  return count;
}

const offsets = (
  connection: BrokerConnection,
  time: 'smallest' | 'largest',
): ReturnType<typeof listOffsetsRequest> =>
  listOffsetsRequest(
    connection.versions.listOffsets,
    Array.from({ length: options.partitions }, (_, partition) => ({ topic: options.topic, partition, time })),
    'read_committed',
  );

const fetching = (
  connection: BrokerConnection,
  maxWaitMs: number,
  from: readonly number[] = [],
): ReturnType<typeof fetchRequest> =>
  fetchRequest(connection.versions.fetch, {
    ...{ maxWaitMs, minBytes: 1, maxBytes: MAX_BYTES, isolationLevel: 'read_committed' },
    partitions: Array.from({ length: options.partitions }, (_, partition) => ({
      ...{ topic: options.topic, partition, offset: from[partition] ?? 0, maxBytes: MAX_BYTES },
    })),
  });

/** What a group asks its coordinator, as far as the broker says that it can be asked. */
function ofGroup({ versions }: BrokerConnection): KafkaRequest<unknown>[] {
  const { offsetCommit, offsetFetch } = versions;
  const positions = [{ topic: options.topic, partition: 0, nextOffset: 5 }];
  return [
    findCoordinatorRequest(GROUP),
    ...(offsetCommit === null ? [] : [offsetCommitRequest(offsetCommit, GROUP, positions)]),
    ...(offsetFetch === null ? [] : [offsetFetchRequest(offsetFetch, GROUP, positions)]),
  ];
}

function open(): Promise<BrokerConnection> {
  const { broker, maxFrameBytes } = options;
  return BrokerConnection.connect(broker, { clientId: 'subject', timeoutMs: TIMEOUT_MS, maxFrameBytes });
}

/** Requests in a row without a wait for their answers. */
async function round(connection: BrokerConnection): Promise<void> {
  const ask = <T>(request: KafkaRequest<T>): Promise<T | undefined> =>
    settled(request.name, TIMEOUT_MS + MARGIN_MS, () => connection.request(request), { outcomes });
  const [first, , , second] = await Promise.all([
    ask(fetching(connection, WAIT_MS)),
    ask(metadataRequest(connection.versions.metadata, [options.topic])),
    ask(offsets(connection, 'smallest')),
    ask(fetching(connection, WAIT_MS)),
    ask(offsets(connection, 'largest')),
    ...ofGroup(connection).map((request) => ask(request)),
  ]);
  for (const answer of [first, second]) for (const partition of answer?.partitions ?? []) readAll(partition);
}

async function live(): Promise<void> {
  while (!isStopping) {
    // Three waits at most: for the connection, for the versions, for the connection of an old broker.
    const connection = await settled('connect', 3 * TIMEOUT_MS + MARGIN_MS, open, { outcomes });
    // Whoever fails at once must not keep the others from their turn.
    if (connection === undefined) await delay(1);
    for (let n = 0; n < ROUNDS && connection?.closed === false; n += 1) await round(connection);
    connection?.close();
  }
}

async function beSound(): Promise<unknown> {
  const connection = await open();
  const { topics } = await connection.request(metadataRequest(connection.versions.metadata, [options.topic]));
  let count = 0;
  const nexts = Array.from({ length: options.partitions }, () => 0);
  // Newer brokers convert a part of a partition only.
  for (let left = ROUNDS; left > 0; left -= 1) {
    const { partitions } = await connection.request(fetching(connection, WAIT_MS, nexts));
    for (const part of partitions) {
      count += readAll(part, nexts[part.partition]);
      nexts[part.partition] = Math.max(nexts[part.partition] ?? 0, scanMessageSet(part.records).nextOffset);
    }
  }
  const smallest = await connection.request(offsets(connection, 'smallest'));
  connection.close();
  return [topics[0]?.partitions.length, count, smallest.map(({ offset }) => offset)];
}

let living: Promise<unknown> = Promise.resolve();

runSubject({
  start: () => {
    living = Promise.all(Array.from({ length: options.slots }, live));
    return Promise.resolve();
  },
  stop: async () => {
    isStopping = true;
    await living;
    return outcomes;
  },
  sound: beSound,
});
