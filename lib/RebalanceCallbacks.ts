import { AsyncLocalStorage } from 'node:async_hooks';

import type { Assignment } from './assignment/assignment';
import type { ConsumerRebalanceListener, PartitionOwner } from './ConsumerRebalanceListener';
import { delay } from './delay';
import { ConnectorError } from './errors';
import type { Logger } from './logger';
import type { TopicPartition } from './types';
import { consumerOfThread } from './zookeeper/consumerId';

/** Calls the application's rebalance listener and waits for it: bounded, since all members of the group wait. */
export class RebalanceCallbacks {
  readonly #listener: ConsumerRebalanceListener;
  /** `rebalance.drain.timeout.ms` */
  readonly #limitMs: number;
  readonly #logger: Logger;
  /** Knows what the listener does while it is waited for. Off otherwise: it would slow down every promise. */
  readonly #context = new AsyncLocalStorage<true>();

  constructor(listener: ConsumerRebalanceListener, limitMs: number, logger: Logger) {
    this.#listener = listener;
    this.#limitMs = limitMs;
    this.#logger = logger;
  }

  /** Whether it is the listener that asks, which the rebalance waits for: what it waits for must not wait for the rebalance. */
  get isCaller(): boolean {
    return this.#context.getStore() === true;
  }

  /** @throws ConnectorError REBALANCE_FAILED if the listener does */
  beforeReleasingPartitions(owned: readonly TopicPartition[]): Promise<void> {
    const partitions = new Map<string, Set<number>>();
    for (const { topic, partition } of owned) {
      partitions.set(topic, (partitions.get(topic) ?? new Set()).add(partition));
    }
    return this.#call('beforeReleasingPartitions', () =>
      this.#listener.beforeReleasingPartitions?.(partitions),
    );
  }

  /** @throws ConnectorError REBALANCE_FAILED if the listener does */
  beforeStartingFetchers(consumerId: string, assignment: Assignment): Promise<void> {
    const all = new Map<string, Map<number, PartitionOwner>>();
    for (const [topic, threads] of assignment) {
      const owners = Array.from(threads, ([partition, threadId]) => {
        return [partition, { consumer: consumerOfThread(threadId), threadId }] as const;
      });
      all.set(topic, new Map(owners));
    }
    return this.#call('beforeStartingFetchers', () =>
      this.#listener.beforeStartingFetchers?.(consumerId, all),
    );
  }

  async #call(name: string, call: () => unknown): Promise<void> {
    const told = new AbortController();
    const work = (async (): Promise<void> => {
      await this.#context.run(true, call);
    })();
    try {
      const inTime = await Promise.race([
        work.then(() => true),
        delay(this.#limitMs, told.signal).then(() => false),
      ]);
      if (inTime) return;
      const limit = `rebalance.drain.timeout.ms (${this.#limitMs})`;
      this.#logger.warn(
        `${name} of the rebalance listener is not done within ${limit}: it is not waited for`,
      );
      work.catch((error: unknown) => {
        this.#logger.error(`${name} of the rebalance listener has thrown after ${limit}`, { error });
      });
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const text = `${name} of the rebalance listener has thrown: ${why}`;
      throw new ConnectorError('REBALANCE_FAILED', text, { cause });
    } finally {
      this.#context.disable();
      told.abort();
    }
  }
}
