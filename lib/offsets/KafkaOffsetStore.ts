import PQueue from 'p-queue';

import type { ResolvedConfig } from '../config/configTable';
import { delay } from '../delay';
import { ConnectorError } from '../errors';
import { keyOf } from '../fetch/PartitionTopicInfo';
import type { BrokerEndpoint, BrokerVersions } from '../kafka/brokerVersions';
import type { Connect } from '../kafka/metadataFromAnyOf';
import { offsetCommitRequest } from '../kafka/offsetCommit';
import { offsetFetchRequest, type StoredPartition } from '../kafka/offsetFetch';
import type { KafkaRequest } from '../kafka/wire';
import type { Logger } from '../logger';
import type { NextOffset, TopicPartition } from '../types';
import { GroupCoordinator } from './GroupCoordinator';
import type { OffsetStore, WriteOptions } from './OffsetStore';
import {
  hasMoved,
  isElsewhere,
  mayPass,
  resultsOf,
  type PartitionAnswer,
  type PartitionResults,
} from './partitionResults';
import { untilAnyAborted } from './untilAnyAborted';
import { withinTime } from './withinTime';

export interface KafkaOffsetStoreOptions {
  readonly group: string;
  /** The brokers that are registered. */
  readonly clusterBrokers: () => Promise<readonly BrokerEndpoint[]>;
  readonly connect: Connect;
  /** Whether the session that holds the claim is proved alive: else nothing is written. */
  readonly isProved: () => boolean;
  readonly config: Pick<
    ResolvedConfig,
    'offsets.channel.backoff.ms' | 'offsets.channel.socket.timeout.ms' | 'offsets.commit.max.retries'
  >;
  readonly logger: Logger;
}

/** One kind of request for a set of partitions. */
interface Exchange<P, A> {
  /** Such as `OffsetCommit`. */
  readonly name: string;
  /** Throws if nothing may be sent. Called before the coordinator is looked for, and again right before it is asked. */
  readonly assertAllowed: () => void;
  /** Null if the coordinator and this client have no version in common. */
  readonly request: (versions: BrokerVersions, pending: readonly P[]) => KafkaRequest<readonly A[]> | null;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** With the group coordinator of the brokers, from 0.8.2 on. It forgets positions after offsets.retention.minutes. */
export class KafkaOffsetStore implements OffsetStore {
  readonly forgets = true;
  readonly #options: KafkaOffsetStoreOptions;
  readonly #coordinator: GroupCoordinator;
  readonly #closing = new AbortController();
  /** Reads and writes one after the other, since there is one connection. */
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(options: KafkaOffsetStoreOptions) {
    this.#options = options;
    const { group, clusterBrokers, connect, config } = options;
    this.#coordinator = new GroupCoordinator({
      ...{ group, clusterBrokers, connect },
      timeoutMs: config['offsets.channel.socket.timeout.ms'],
    });
  }

  /** Has as many tries as a write; then it rejects, with BROKER_UNREACHABLE, or BROKER_ERROR for what stays. */
  read(
    partitions: readonly TopicPartition[],
    signal: AbortSignal,
  ): Promise<Map<string, number | null | ConnectorError>> {
    return this.#queue.add(() =>
      untilAnyAborted([this.#closing.signal, signal], (ending) => this.#read(partitions, ending)),
    );
  }

  write(
    positions: readonly NextOffset[],
    { retryOnFailure }: WriteOptions,
  ): Promise<ReadonlyMap<string, ConnectorError>> {
    return this.#queue.add(() => this.#write(positions, retryOnFailure ? this.#mostTries : 1));
  }

  /** What is under way is given up at once. */
  close(): void {
    this.#closing.abort();
    this.#coordinator.drop();
  }

  get #mostTries(): number {
    return 1 + this.#options.config['offsets.commit.max.retries'];
  }

  async #read(
    partitions: readonly TopicPartition[],
    signal: AbortSignal,
  ): Promise<Map<string, number | null | ConnectorError>> {
    const results = await this.#settle<TopicPartition, StoredPartition>(partitions, this.#mostTries, {
      name: 'OffsetFetch',
      assertAllowed: () => undefined,
      request: ({ offsetFetch: version }, pending) =>
        version === null ? null : offsetFetchRequest(version, this.#options.group, pending),
      signal,
    });
    const positions = new Map<string, number | null | ConnectorError>();
    for (const [key, result] of results) {
      if (!ConnectorError.is(result)) positions.set(key, positionIn(result));
      else if (result.code === 'BROKER_ERROR' && result.context.partition !== undefined)
        positions.set(key, result);
      else throw result;
    }
    return positions;
  }

  async #write(
    positions: readonly NextOffset[],
    mostTries: number,
  ): Promise<ReadonlyMap<string, ConnectorError>> {
    const results = await this.#settle<NextOffset, PartitionAnswer>(positions, mostTries, {
      name: 'OffsetCommit',
      assertAllowed: () => this.#assertProved(),
      request: ({ offsetCommit: version }, pending) =>
        version === null ? null : offsetCommitRequest(version, this.#options.group, pending),
      signal: this.#closing.signal,
    });
    const errors = new Map<string, ConnectorError>();
    for (const [key, result] of results) if (ConnectorError.is(result)) errors.set(key, result);
    return errors;
  }

  /**
   * Tries until all partitions have an answer, or an error that stays, or the tries or their time are used up. The last one may
   * begin `offsets.channel.socket.timeout.ms` after the first, and has as long: a rebalance and a shutdown wait for it.
   */
  async #settle<P extends TopicPartition, A extends PartitionAnswer>(
    wanted: readonly P[],
    mostTries: number,
    exchange: Exchange<P, A>,
  ): Promise<PartitionResults<A>> {
    const { config, logger } = this.#options;
    const backoffMs = config['offsets.channel.backoff.ms'];
    const timeoutMs = config['offsets.channel.socket.timeout.ms'];
    const lastStartMs = performance.now() + timeoutMs;
    const results = new Map<string, A | ConnectorError>();
    let pending = wanted;
    for (let tries = 1; pending.length > 0; tries += 1) {
      const endMs = lastStartMs + timeoutMs;
      for (const [key, result] of await this.#tryUntil(endMs, pending, exchange)) results.set(key, result);
      pending = pending.filter((at) => mayPass(results.get(keyOf(at))));
      const [next] = pending;
      const isOver = tries === mostTries || performance.now() + backoffMs > lastStartMs;
      if (next === undefined || isOver) break;
      const error = results.get(keyOf(next));
      logger.info(`${exchange.name} has failed for ${pending.length} partitions`, {
        error,
        retryInMs: backoffMs,
      });
      await delay(backoffMs, exchange.signal);
    }
    return results;
  }

  async #tryUntil<P extends TopicPartition, A extends PartitionAnswer>(
    endMs: number,
    pending: readonly P[],
    exchange: Exchange<P, A>,
  ): Promise<PartitionResults<A>> {
    const { name, signal } = exchange;
    const late = tooLate(name);
    const limit = { limitMs: endMs - performance.now(), late: () => late, signal };
    try {
      return await withinTime(limit, (ending) => this.#try(pending, { ...exchange, signal: ending }));
    } catch (error) {
      if (signal.aborted) throw givenUp(name, error);
      if (error !== late) throw error;
      return new Map(pending.map((at) => [keyOf(at), late]));
    }
  }

  /** One try; if the coordinator has moved, it goes on at once with the new one. */
  async #try<P extends TopicPartition, A extends PartitionAnswer>(
    pending: readonly P[],
    exchange: Exchange<P, A>,
  ): Promise<PartitionResults<A>> {
    const results = await this.#ask(pending, exchange);
    const moved = pending.filter((at) => hasMoved(results.get(keyOf(at))));
    if (moved.length === 0) return results;
    return new Map([...results, ...(await this.#ask(moved, exchange))]);
  }

  async #ask<P extends TopicPartition, A extends PartitionAnswer>(
    pending: readonly P[],
    { name, assertAllowed, request, signal }: Exchange<P, A>,
  ): Promise<PartitionResults<A>> {
    let results: PartitionResults<A>;
    try {
      assertAllowed();
      const { answer, broker } = await this.#coordinator.ask((versions) => {
        assertAllowed();
        const asked = request(versions, pending);
        if (asked === null) throw noVersion(name);
        return asked;
      }, signal);
      results = resultsOf(pending, answer, { request: name, group: this.#options.group, broker });
    } catch (error) {
      if (signal.aborted || !ConnectorError.is(error)) throw error;
      results = new Map(pending.map((at) => [keyOf(at), error]));
    }
    if ([...results.values()].some(isElsewhere)) this.#coordinator.drop();
    return results;
  }

  #assertProved(): void {
    if (this.#options.isProved()) return;
    const text = 'the session that holds the claim is no longer proved alive: nothing is committed';
    throw new ConnectorError('SESSION_LOST', text);
  }
}

/** Negative ones mean "none". */
function positionIn({ topic, partition, offset }: StoredPartition): number | null | ConnectorError {
  if (offset < 0n) return null;
  if (offset <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(offset);
  const text = `the offset stored in Kafka for ${topic}/${partition} is ${offset}, more than 2^53-1`;
  return new ConnectorError('OFFSET_INVALID', text, { topic, partition });
}

function givenUp(name: string, cause: unknown): ConnectorError {
  const text = `${name} was given up: the connector is shut down, or has lost its session`;
  return new ConnectorError('BROKER_UNREACHABLE', text, { cause });
}

function tooLate(name: string): ConnectorError {
  const text = `${name} was given up after twice offsets.channel.socket.timeout.ms`;
  return new ConnectorError('BROKER_UNREACHABLE', text);
}

function noVersion(name: string): ConnectorError {
  const text =
    `the group coordinator has no version of ${name} in common with this client, which has 1 and 2; ` +
    'supported are Kafka 0.8.2 to 3.9';
  return new ConnectorError('BROKER_ERROR', text);
}
