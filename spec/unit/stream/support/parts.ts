import { setImmediate as turn } from 'node:timers/promises';

import type { ConnectorError } from '../../../../lib/errors';
import { PartitionTopicInfo } from '../../../../lib/fetch/PartitionTopicInfo';
import { MessageCursor } from '../../../../lib/kafka/records/MessageCursor';
import type { BlockingQueue, MessageChunk } from '../../../../lib/stream/BlockingQueue';
import { EventLoopTurn } from '../../../../lib/stream/EventLoopTurn';
import type { Lease } from '../../../../lib/stream/HandOut';
import { MessageStream, type MessageStreamSettings } from '../../../../lib/stream/MessageStream';
import { messageSet, rawEntry, withCrc, type SpecMessage } from '../../kafka/support/encodeMessageSet';

/** A session that is proved for ever. */
export const PROVED: Lease = { provedUntilMs: Number.POSITIVE_INFINITY };

export function infoOf(
  queue: BlockingQueue,
  at: { topic?: string; partition?: number; threadId?: string; stored?: number | null } = {},
): PartitionTopicInfo {
  const { topic = 'orders', partition = 0, threadId = 'g_a-0', stored = 0 } = at;
  return new PartitionTopicInfo({ topic, partition }, threadId, queue, stored, 1024);
}

/** A chunk as a fetcher brings it: what is fetched next begins behind it. */
export function chunkOf(info: PartitionTopicInfo, records: Buffer, nextOffset: number): MessageChunk {
  const from = info.fetchOffset ?? 0;
  const { topic, partition, epoch } = info;
  info.fetchOffset = nextOffset;
  const cursor = new MessageCursor(records, from, topic, partition);
  return { kind: 'messages', info, epoch, cursor, nextOffset };
}

/** Queues a chunk of `count` messages whose values are their offsets, from where fetching stands. */
export function feed(info: PartitionTopicInfo, count: number): void {
  const from = info.fetchOffset ?? 0;
  const messages = Array.from({ length: count }, (_, index): SpecMessage => {
    const offset = from + index;
    return { offset, value: Buffer.from(String(offset)) };
  });
  info.queue.put(chunkOf(info, messageSet(messages), from + count));
}

const SMALL_MESSAGE = withCrc(Buffer.from([0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1, 0x61]));

/** The same for many messages; their values are all alike, which is much faster to write. */
export function feedMany(info: PartitionTopicInfo, count: number): void {
  const from = info.fetchOffset ?? 0;
  const entries = Array.from({ length: count }, (_, index) => rawEntry(from + index, SMALL_MESSAGE));
  info.queue.put(chunkOf(info, Buffer.concat(entries), from + count));
}

export interface StreamUnderTest {
  readonly stream: MessageStream<Buffer, Buffer>;
  /** Failures that the connector was told. */
  readonly failures: ConnectorError[];
}

/** A stream that may hand out, with a queue of two chunks. */
export function streamOf(settings: Partial<MessageStreamSettings<Buffer, Buffer>> = {}): StreamUnderTest {
  const failures: ConnectorError[] = [];
  const stream = new MessageStream<Buffer, Buffer>({
    threadId: 'g_a-0',
    topic: 'orders',
    maxChunks: 2,
    timeoutMs: -1,
    turn: new EventLoopTurn(),
    onFailure: (_, error) => failures.push(error),
    ...settings,
  });
  stream.release(PROVED);
  return { stream, failures };
}

/** Whether a promise is still pending when everything that is ready has run. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settled = (): void => void (pending = false);
  promise.then(settled, settled);
  for (let turns = 0; turns < 5; turns += 1) await turn();
  return pending;
}

export function textOf(message: { readonly value: Buffer | null }): string | null {
  return message.value === null ? null : message.value.toString();
}
