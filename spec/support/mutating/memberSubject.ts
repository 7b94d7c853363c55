import { setTimeout as delay } from 'node:timers/promises';

import { ConnectorError, type ConnectorConfig } from '../../../lib';
import { LocalMember } from '../LocalMember';
import { readOn, type ReadOn } from '../readOn';
import { fault, runSubject, settled } from './subject';

/** What the parent hands over as the first argument, as JSON. */
export interface MemberSubjectOptions {
  readonly zookeeperConnect: string;
  readonly topic: string;
  /** Each has one member, which reads everything. */
  readonly groups: number;
  readonly properties: Partial<ConnectorConfig>;
}

const SHUTDOWN_MS = 10_000;
const RETRY_MS = 100;

interface Reader {
  readonly member: LocalMember;
  readonly read: ReadOn;
  /** Partitions that stand still until somebody seeks. */
  readonly failed: Set<number>;
}

const options = JSON.parse(process.argv[2] ?? '{}') as MemberSubjectOptions;
const readers: Reader[] = [];
let isHealing = false;

async function start(group: number): Promise<void> {
  const { zookeeperConnect, topic, properties } = options;
  const member = await LocalMember.start({
    ...{ zookeeperConnect, group: `group-${group}`, topics: { [topic]: 1 }, properties, consume: false },
  });
  const reader: Reader = { member, read: readOn(member), failed: new Set() };
  member.connector.on('partition:failed', ({ partition }) => reader.failed.add(partition));
  member.connector.on('connector:closed', ({ error }) => {
    if (error !== null) fault('a connector has closed itself', error);
  });
  reader.read.ended.catch((error: unknown) => fault('a loop has ended', error));
  readers.push(reader);
}

/** What was handed out, by partition and offset. */
function handedOut({ read }: Reader): Map<string, string> {
  return new Map(
    read.messages.map(({ partition, offset, value }) => [`${partition}@${offset}`, String(value)]),
  );
}

/** Partitions that have failed go on with the first message that is missing. */
async function heal(reader: Reader): Promise<void> {
  while (isHealing) {
    const seen = handedOut(reader);
    for (const partition of [...reader.failed]) {
      let nextOffset = 0;
      while (seen.has(`${partition}@${nextOffset}`)) nextOffset += 1;
      reader.failed.delete(partition);
      await reader.member.connector
        .seek({ topic: options.topic, partition, nextOffset })
        .catch((error: unknown) => {
          if (!ConnectorError.is(error)) fault('seek rejected with what is no ConnectorError', error);
          // Not owned at the moment.
          reader.failed.add(partition);
        });
    }
    await delay(RETRY_MS);
  }
}

runSubject({
  start: () => Promise.all(Array.from({ length: options.groups }, (_, group) => start(group))),
  /** Distinct messages that each member was handed. */
  counts: () => Promise.resolve(readers.map((reader) => handedOut(reader).size)),
  /** Every one of them, as [place, value]. */
  messages: () => Promise.resolve(readers.map((reader) => [...handedOut(reader)])),
  heal: () => {
    isHealing = true;
    for (const reader of readers) heal(reader).catch((error: unknown) => fault('healing failed', error));
    return Promise.resolve();
  },
  stop: async () => {
    isHealing = false;
    await Promise.all(
      readers.map(({ member, read }) =>
        settled('shutdown', SHUTDOWN_MS, async () => {
          await member.stop();
          await read.ended;
        }),
      ),
    );
  },
});
