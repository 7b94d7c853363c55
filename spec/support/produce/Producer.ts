import { setTimeout as delay } from 'node:timers/promises';

import { BrokerConnection, type BrokerAddress } from './BrokerConnection';
import { encodeMessageSet, type MessageSetOptions, type ProducedMessage } from './messageSet';
import { listOffsetsRequest, metadataRequest, produceRequest, type Request } from './requests';

export type { MessageSetOptions, ProducedMessage } from './messageSet';

/** Errors that pass when the cluster has settled: unknown topic, no leader, not the leader, too few replicas. */
const PASSING_ERRORS: ReadonlySet<number> = new Set([3, 5, 6, 19]);

const RETRY_DELAY_MS = 30;

export interface ProducerOptions {
  /** Any of the cluster's brokers. */
  readonly brokers: readonly BrokerAddress[];
  /** Longest time for one call, with all its retries. */
  readonly timeoutMs?: number;
}

/**
 * A producer with bytes of its own, so that what it writes does not depend on the code under test. A send whose
 * connection breaks before the answer is repeated: then its messages may be in the log twice.
 */
export class Producer implements AsyncDisposable {
  readonly #bootstrap: readonly BrokerAddress[];
  readonly #timeoutMs: number;
  /** By "host:port". */
  readonly #connections = new Map<string, BrokerConnection>();
  /** Leaders by "topic/partition", forgotten after an error. */
  readonly #leaders = new Map<string, BrokerAddress>();
  #closed = false;

  constructor({ brokers, timeoutMs = 20_000 }: ProducerOptions) {
    this.#bootstrap = brokers;
    this.#timeoutMs = timeoutMs;
  }

  /** Resolves with the offset of the first message when all in-sync replicas have them. */
  async send(
    topic: string,
    partition: number,
    messages: readonly ProducedMessage[],
    options: MessageSetOptions = {},
  ): Promise<number> {
    return this.sendRaw(topic, partition, encodeMessageSet(messages, options), options);
  }

  /** Sends these bytes as they are; `magic` chooses the version of the request. */
  async sendRaw(
    topic: string,
    partition: number,
    messageSet: Buffer,
    { magic = 0 }: { magic?: 0 | 1 } = {},
  ): Promise<number> {
    const request = produceRequest(magic === 0 ? 0 : 2, topic, partition, messageSet, this.#timeoutMs);
    const { baseOffset } = await this.#askLeader(topic, partition, request, (result) => result.errorCode);
    return baseOffset;
  }

  /** The next offset of a partition, or its first. */
  async offset(topic: string, partition: number, which: 'first' | 'next' = 'next'): Promise<number> {
    const request = listOffsetsRequest(topic, [partition], which === 'next' ? -1 : -2);
    const answers = await this.#askLeader(topic, partition, request, (list) => list[0]?.errorCode ?? -1);
    return answers[0]?.offsets[0] ?? -1;
  }

  close(): void {
    this.#closed = true;
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.close();
    return Promise.resolve();
  }

  async #askLeader<T>(
    topic: string,
    partition: number,
    request: Request<T>,
    errorCodeOf: (answer: T) => number,
  ): Promise<T> {
    const end = Date.now() + this.#timeoutMs;
    const name = `${topic}/${partition}`;
    for (;;) {
      const failure = await this.#tryLeader(topic, partition, request).then(
        (answer) => {
          const code = errorCodeOf(answer);
          if (code === 0) return { answer };
          const error = new Error(`The broker answered for ${name} with error ${code}`);
          return { error, passing: PASSING_ERRORS.has(code) };
        },
        (error: unknown) => ({ error, passing: true }),
      );
      if ('answer' in failure) return failure.answer;
      if (!failure.passing || this.#closed) throw failure.error;
      this.#leaders.delete(name);
      if (Date.now() + RETRY_DELAY_MS > end) {
        throw new Error(`No success with ${name} within ${this.#timeoutMs} ms`, { cause: failure.error });
      }
      await delay(RETRY_DELAY_MS);
    }
  }

  async #tryLeader<T>(topic: string, partition: number, request: Request<T>): Promise<T> {
    const name = `${topic}/${partition}`;
    const leader = this.#leaders.get(name) ?? (await this.#findLeader(topic, partition));
    this.#leaders.set(name, leader);
    return this.#connection(leader).ask(request);
  }

  async #findLeader(topic: string, partition: number): Promise<BrokerAddress> {
    const failures: string[] = [];
    for (const broker of this.#bootstrap) {
      try {
        const metadata = await this.#connection(broker).ask(metadataRequest([topic]));
        const found = metadata.topics.find((entry) => entry.topic === topic);
        const leader = found?.partitions.find((entry) => entry.partition === partition)?.leader;
        const address = metadata.brokers.find(({ id }) => id === leader);
        if (address !== undefined) return address;
        failures.push(
          `${broker.host}:${broker.port} knows no leader (topic error ${String(found?.errorCode)})`,
        );
      } catch (error) {
        failures.push(`${broker.host}:${broker.port}: ${String(error)}`);
      }
    }
    throw new Error(`No leader for ${topic}/${partition}: ${failures.join('; ')}`);
  }

  #connection(broker: BrokerAddress): BrokerConnection {
    if (this.#closed) throw new Error('This producer is closed');
    const name = `${broker.host}:${broker.port}`;
    const known = this.#connections.get(name);
    if (known?.isUsable) return known;
    const made = new BrokerConnection(broker, { timeoutMs: this.#timeoutMs });
    this.#connections.set(name, made);
    return made;
  }
}
