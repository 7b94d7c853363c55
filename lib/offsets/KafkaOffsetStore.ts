import PQueue from 'p-queue';

import type { ResolvedConfig } from '../config/configTable';
import { delay } from '../delay';
import { ConnectorError } from '../errors';
import { keyOf } from '../fetch/PartitionTopicInfo';
import type { BrokerEndpoint, BrokerVersions } from '../kafka/brokerVersions';
import { NONE } from '../kafka/errorCodes';
import type { Connect } from '../kafka/metadataFromAnyOf';
import { offsetCommitRequest } from '../kafka/offsetCommit';
import { offsetFetchRequest, type StoredPartition } from '../kafka/offsetFetch';
import type { PartitionAnswer } from '../kafka/topicGroups';
import type { KafkaRequest } from '../kafka/wire';
import type { Logger } from '../logger';
import type { NextOffset, TopicPartition } from '../types';
import type { GroupRequest } from './coordinatorErrors';
import { GroupCoordinator, type Ending } from './GroupCoordinator';
import type { OffsetStore, WriteOptions } from './OffsetStore';
import {
  hasMoved,
  isElsewhere,
  isUnknown,
  mayPass,
  resultsOf,
  type PartitionResults,
} from './partitionResults';
import { untilAnyAborted } from './untilAnyAborted';

export interface KafkaOffsetStoreOptions {
  readonly group: string;
  /** The brokers that are registered. */
  readonly clusterBrokers: () => Promise<readonly BrokerEndpoint[]>;
  readonly connect: Connect;
  /** Those of the topics that exist and are not about to be deleted. */
  readonly existingTopics: (topics: ReadonlySet<string>) => Promise<readonly string[]>;
  /** Whether the session that holds the claim is proved alive: else nothing is written. */
  readonly isProved: () => boolean;
  readonly config: Pick<
    ResolvedConfig,
    'offsets.channel.backoff.ms' | 'offsets.channel.socket.timeout.ms' | 'offsets.commit.max.retries'
  >;
  readonly logger: Logger;
}

/** One kind of request for a set of partitions. */
interface Exchange<P, A> extends Pick<Ending, 'signal'> {
  readonly name: GroupRequest;
  /** Throws if nothing may be sent. Called before the coordinator is looked for, and again right before it is asked. */
  readonly assertAllowed: () => void;
  /** Null if the coordinator and this client have no version in common. */
  readonly request: (versions: BrokerVersions, pending: readonly P[]) => KafkaRequest<readonly A[]> | null;
  /** Those of the pending that are still worth another try; what becomes of the others is put into the results. */
  readonly worthTrying: (
    pending: readonly P[],
    results: Map<string, A | ConnectorError>,
  ) => Promise<readonly P[]>;
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
    const { group, clusterBrokers, connect } = options;
    this.#coordinator = new GroupCoordinator({ group, clusterBrokers, connect });
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
    this.#coordinator.close();
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
      worthTrying: (pending, unsettled) => this.#withoutDeleted(pending, unsettled),
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
      worthTrying: (pending) => Promise.resolve(pending),
      signal: this.#closing.signal,
    });
    const errors = new Map<string, ConnectorError>();
    for (const [key, result] of results) if (ConnectorError.is(result)) errors.set(key, result);
    return errors;
  }

  /**
   * Tries until all partitions have an answer, or an error that stays, or the tries or their time are used up:
   * `offsets.channel.socket.timeout.ms` for all of them, since a rebalance and a shutdown wait for it.
   */
  async #settle<P extends TopicPartition, A extends PartitionAnswer>(
    wanted: readonly P[],
    mostTries: number,
    exchange: Exchange<P, A>,
  ): Promise<PartitionResults<A>> {
    const { config, logger } = this.#options;
    const backoffMs = config['offsets.channel.backoff.ms'];
    const untilMs = performance.now() + config['offsets.channel.socket.timeout.ms'];
    const results = new Map<string, A | ConnectorError>();
    let pending = wanted;
    for (let tries = 1; pending.length > 0; tries += 1) {
      for (const [key, result] of await this.#try(pending, { ...exchange, untilMs }))
        results.set(key, result);
      const unsettled = pending.filter((at) => mayPass(results.get(keyOf(at))));
      pending = unsettled.length === 0 ? [] : await exchange.worthTrying(unsettled, results);
      const [next] = pending;
      const isOver = tries === mostTries || performance.now() + backoffMs > untilMs;
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

  /**
   * A topic that the brokers are deleting, or cannot, is unknown to the coordinator for as long as that takes: of its
   * partitions nothing is stored that anybody could go on with.
   */
  async #withoutDeleted(
    pending: readonly TopicPartition[],
    results: Map<string, StoredPartition | ConnectorError>,
  ): Promise<readonly TopicPartition[]> {
    const unknown = pending.filter((at) => isUnknown(results.get(keyOf(at))));
    if (unknown.length === 0) return pending;
    const topics = new Set(unknown.map(({ topic }) => topic));
    const existing = await this.#options.existingTopics(topics);
    const deleted = unknown.filter(({ topic }) => !existing.includes(topic));
    for (const { topic, partition } of deleted) {
      results.set(keyOf({ topic, partition }), { topic, partition, errorCode: NONE, offset: -1n });
    }
    return pending.filter((at) => !deleted.includes(at));
  }

  /** One try; if the coordinator has moved, it goes on at once with the new one. */
  async #try<P extends TopicPartition, A extends PartitionAnswer>(
    pending: readonly P[],
    exchange: Exchange<P, A> & Ending,
  ): Promise<PartitionResults<A>> {
    const results = await this.#ask(pending, exchange);
    const moved = pending.filter((at) => hasMoved(results.get(keyOf(at))));
    if (moved.length === 0) return results;
    return new Map([...results, ...(await this.#ask(moved, exchange))]);
  }

  async #ask<P extends TopicPartition, A extends PartitionAnswer>(
    pending: readonly P[],
    { name, assertAllowed, request, signal, untilMs }: Exchange<P, A> & Ending,
  ): Promise<PartitionResults<A>> {
    let results: PartitionResults<A>;
    try {
      assertAllowed();
      const { answer, broker } = await this.#coordinator.ask(
        (versions) => {
          assertAllowed();
          const asked = request(versions, pending);
          if (asked === null) throw noVersion(name);
          return asked;
        },
        { signal, untilMs },
      );
      results = resultsOf(pending, answer, { request: name, group: this.#options.group, broker });
    } catch (error) {
      if (signal.aborted) throw givenUp(name, error);
      if (!ConnectorError.is(error)) throw error;
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

function noVersion(name: string): ConnectorError {
  const text =
    `the group coordinator has no version of ${name} in common with this client, which has 1 and 2; ` +
    'supported are Kafka 0.8.2 to 3.9';
  return new ConnectorError('BROKER_ERROR', text);
}
