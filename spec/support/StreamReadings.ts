import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import type { KafkaStream, TopicPartition } from '../../lib';
import type { LocalMember } from './LocalMember';

export interface Reading extends TopicPartition {
  readonly threadId: string;
  readonly offset: number;
  readonly value: string;
  /** `performance.now()` when the loop got it. */
  readonly atMs: number;
}

/** What each stream of a member hands out, and when; in place of the loops that the member has itself. */
export class StreamReadings {
  readonly consumerId: string;
  /** In the order in which they were handed out. */
  readonly messages: Reading[] = [];
  /** What ended a loop other than shutdown. */
  readonly errors: unknown[] = [];
  /** Resolves when all loops are over, as after the shutdown. */
  readonly ended: Promise<unknown>;
  /** Threads whose loop is over. */
  readonly endedThreads = new Set<string>();

  /** How long a loop takes for each message; 0 is without a pause. */
  readonly #workMs: number;

  /** Starts a loop for each stream; the member must have been started with `consume: false`. */
  constructor(member: LocalMember, { workMs = 0 } = {}) {
    this.consumerId = member.consumerId;
    this.#workMs = workMs;
    const streams = [...member.streams.values()].flat();
    this.ended = Promise.all(
      streams.map(async (stream) => {
        await this.#collect(stream).catch((error: unknown) => void this.errors.push(error));
        this.endedThreads.add(stream.threadId);
      }),
    );
  }

  async #collect(stream: KafkaStream): Promise<void> {
    const { threadId } = stream;
    for await (const { topic, partition, offset, value } of stream) {
      const atMs = performance.now();
      this.messages.push({ threadId, topic, partition, offset, value: String(value), atMs });
      if (this.#workMs > 0) await delay(this.#workMs);
    }
  }
}

/** Where the offsets of a partition do not go up by one from 0 on: "topic/partition: 5 behind 3". */
export function disorderOf(messages: readonly (TopicPartition & { readonly offset: number })[]): string[] {
  const last = new Map<string, number>();
  const found: string[] = [];
  for (const { topic, partition, offset } of messages) {
    const at = `${topic}/${partition}`;
    const before = last.get(at) ?? -1;
    if (offset !== before + 1) found.push(`${at}: ${offset} behind ${before}`);
    last.set(at, offset);
  }
  return found;
}
