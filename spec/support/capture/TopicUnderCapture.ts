import { isDeepStrictEqual } from 'node:util';

import type { RealCluster } from '../cluster/RealCluster';
import type { Codec, JvmOutgoing, JvmProducer, JvmSent } from '../jvm/JvmProducer';
import { Producer } from '../produce/Producer';
import { waitFor } from '../waitFor';
import type { Capture, CapturedMessage, CapturedTopic, FetchQuestion, FetchVersion } from './captured';
import { fetchBytes } from './fetchBytes';
import { releaseOf } from './releases';
import { walkAnswer, type WalkedAnswer } from './walkAnswer';

const ALL_BYTES = 65_536;

export interface ProduceOptions {
  /** Default: that of the release. */
  readonly format?: 0 | 1 | 2;
  readonly fate?: 'aborted' | 'open';
  /** The broker's clock is what counts, not the producer's. */
  readonly isAppendTime?: boolean;
}

/** A topic of one partition; it keeps what was produced to it and what was fetched from it. */
export class TopicUnderCapture {
  readonly topic: string;
  readonly #cluster: RealCluster;
  readonly #scenario: string;
  readonly #codec: Codec;
  #messages: CapturedMessage[] = [];
  readonly #captures: Capture[] = [];

  private constructor(cluster: RealCluster, scenario: string, codec: Codec) {
    this.#cluster = cluster;
    this.#scenario = scenario;
    this.#codec = codec;
    this.topic = `${scenario}-${codec}`;
  }

  static async create(
    cluster: RealCluster,
    scenario: string,
    codec: Codec,
    config: Readonly<Record<string, string>> = {},
  ): Promise<TopicUnderCapture> {
    const made = new TopicUnderCapture(cluster, scenario, codec);
    await cluster.createTopic(made.topic, { config });
    return made;
  }

  get name(): string {
    return `${this.#cluster.kafka}-${this.topic}`;
  }

  get messages(): readonly CapturedMessage[] {
    return this.#messages;
  }

  /** Sends these as one batch and notes them, with the offsets that the producer was told. */
  async produce(
    producer: JvmProducer,
    messages: readonly JvmOutgoing[],
    options: ProduceOptions = {},
  ): Promise<void> {
    this.#note(messages, await producer.send(this.topic, 0, messages), options);
  }

  /** Sends these bytes of format 0, which are said to hold these messages. */
  async produceRaw(messageSet: Buffer, messages: readonly JvmOutgoing[]): Promise<void> {
    await using producer = new Producer({ brokers: this.#cluster.brokers });
    const base = await producer.sendRaw(this.topic, 0, messageSet);
    const sent = messages.map((_, index) => ({ offset: base + index, timestamp: null }));
    this.#note(messages, sent, {});
  }

  #note(
    messages: readonly JvmOutgoing[],
    sent: readonly JvmSent[],
    { format = releaseOf(this.#cluster.kafka).format, fate, isAppendTime = false }: ProduceOptions,
  ): void {
    for (const [index, message] of messages.entries()) {
      const { offset = NaN, timestamp: stored = null } = sent[index] ?? {};
      const timestamp = isAppendTime ? stored : (message.timestamp ?? null);
      const headers = (message.headers ?? []).map((header) => ({
        key: header.key,
        value: textOf(header.value),
      }));
      this.#messages.push({
        offset,
        key: textOf(message.key),
        value: textOf(message.value),
        timestamp: format === 0 ? null : timestamp,
        timestampType: format === 0 ? null : isAppendTime ? 'append' : 'create',
        format,
        ...(format < 2 || headers.length === 0 ? {} : { headers }),
        ...(fate === undefined ? {} : { fate }),
      });
    }
  }

  /** Notes that the cleaner has removed all but the last message of each key, as far as offset `end`. */
  noteCompaction(end: number): void {
    const last = new Map(this.#messages.filter(({ offset }) => offset < end).map((m) => [m.key, m.offset]));
    this.#messages = this.#messages.map((message) =>
      message.offset < end && last.get(message.key) !== message.offset
        ? { ...message, fate: 'compacted' }
        : message,
    );
  }

  /** Resolves when the log ends at this offset: markers come later than a commit is answered. */
  async endsAt(offset: number): Promise<void> {
    await using asking = new Producer({ brokers: this.#cluster.brokers });
    await waitFor(async () => (await asking.offset(this.topic, 0)) === offset, {
      timeoutMs: 20_000,
      description: `the end of ${this.name} at ${offset}`,
    });
  }

  /** Fetches with these versions, or all that the broker takes. */
  async captureAll(
    question: Partial<FetchQuestion> = {},
    versions: readonly FetchVersion[] = releaseOf(this.#cluster.kafka).fetchVersions,
  ): Promise<void> {
    for (const version of versions) await this.#capture(version, { ...WHOLE, ...question });
  }

  /** As captureAll, but so few bytes that each answer ends inside an entry, or inside the first one. */
  async captureCut(): Promise<void> {
    for (const version of releaseOf(this.#cluster.kafka).fetchVersions) {
      const { recordsBytes } = await this.#ask(version, WHOLE);
      await this.#capture(version, { ...WHOLE, maxBytes: recordsBytes - 10 });
      await this.#capture(version, { ...WHOLE, maxBytes: 30 });
    }
  }

  toJson(): CapturedTopic {
    return {
      kafka: this.#cluster.kafka,
      scenario: this.#scenario,
      codec: this.#codec,
      topic: this.topic,
      messages: this.#messages,
      captures: this.#captures,
    };
  }

  /** An answer that another version has brought already is noted with that one. */
  async #capture(version: FetchVersion, question: FetchQuestion): Promise<void> {
    const { errorCode, highWatermark, endsAt, isCut, body } = await this.#ask(version, question);
    const found = { errorCode, highWatermark, endsAt, isCut, body: body.toString('base64') };
    const index = this.#captures.findIndex((other) =>
      isDeepStrictEqual({ fetchVersions: other.fetchVersions, ...question, ...found }, other),
    );
    const before = this.#captures[index];
    if (before === undefined) this.#captures.push({ fetchVersions: [version], ...question, ...found });
    else this.#captures[index] = { ...before, fetchVersions: [...before.fetchVersions, version] };
  }

  async #ask(version: FetchVersion, question: FetchQuestion): Promise<WalkedAnswer & { body: Buffer }> {
    const [broker] = this.#cluster.brokers;
    if (broker === undefined) throw new Error('a cluster without brokers');
    const body = await fetchBytes(broker, this.topic, version, question);
    return { body, ...walkAnswer(body, version) };
  }
}

const WHOLE: FetchQuestion = { offset: 0, maxBytes: ALL_BYTES };

function textOf(value: Buffer | string | null | undefined): string | null {
  return value === null || value === undefined ? null : value.toString();
}
