import { ByteReader } from '../../../../lib/kafka/wire';
import { array, bytes, int16, int32, int64, int8, string } from '../../kafka/support/bytes';
import {
  ancient,
  API_VERSIONS,
  apiVersionsBody,
  FakeBroker,
  frame,
  METADATA,
  type ReceivedRequest,
} from '../../kafka/support/FakeBroker';
import { ScriptedLog } from './ScriptedLog';

const FETCH = 1;
const LIST_OFFSETS = 2;
const OUT_OF_RANGE = 1;
const UNKNOWN_PARTITION = 3;
const LEADERLESS = 5;
const NOTHING = Buffer.alloc(0);
const LARGEST = -1;
/** The highest versions of Fetch, ListOffsets and Metadata; 0.8 does not tell. */
const APIS = {
  '0.10.1': [3, 1, 2],
  '0.11': [5, 2, 4],
  '2.1': [10, 4, 7],
} as const;

export type ScriptedKafka = '0.8' | keyof typeof APIS;

/** A partition as a fetch asked for it. */
export interface SeenPosition {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly maxBytes: number;
}

export interface SeenFetch {
  readonly atMs: number;
  readonly version: number;
  readonly maxWaitMs: number;
  readonly minBytes: number;
  /** -1 where the version has none. */
  readonly isolationLevel: number;
  readonly partitions: readonly SeenPosition[];
}

interface FetchedAnswer extends SeenPosition {
  readonly errorCode: number;
  readonly highWatermark: number;
  readonly aborted: ScriptedLog['aborted'];
  readonly records: Buffer;
}

export interface ScriptedBrokerOptions {
  readonly id?: number;
  readonly kafka?: ScriptedKafka;
}

/**
 * A broker on a loopback socket that keeps its logs in memory, counts what it is asked, and fails as a spec says.
 * It answers ApiVersions, Metadata, ListOffsets and Fetch; `kafka: '0.8'` knows v0 only.
 */
export class ScriptedBroker implements AsyncDisposable {
  readonly id: number;
  /** Stays what it was when the broker is dead. */
  readonly endpoint: { readonly id: number; readonly host: string; readonly port: number };
  /** What metadata answers name as leaders; by default this broker leads every partition that it has a log of. */
  leaderOf: (topic: string, partition: number) => ScriptedBroker | null = () => this;
  /** Called for each fetch that came, before it is answered. */
  onFetch: (fetch: SeenFetch) => void = () => undefined;
  /** Answers of fetches wait for this. */
  gate: Promise<void> = Promise.resolve();
  /** Set to close the connection in the middle of the next answer to a fetch. */
  closesInAnswer = false;
  /** Answered to a whole fetch, from version 7 on. */
  fetchErrorCode = 0;
  readonly fetches: SeenFetch[] = [];
  readonly listed: string[] = [];
  metadataRequests = 0;
  /** Most fetches of one connection that were under way at once. */
  mostInFlight = 0;

  readonly #logs = new Map<string, ScriptedLog>();
  readonly #fake: FakeBroker;
  readonly #inFlight = new Map<number, number>();
  /** Fetches that wait for messages. */
  readonly #waiting = new Set<() => void>();

  private constructor(fake: FakeBroker, id: number, kafka: ScriptedKafka) {
    this.#fake = fake;
    this.id = id;
    this.endpoint = { id, ...fake.endpoint };
    const handle = (request: ReceivedRequest): void => this.#handle(request);
    fake.handler =
      kafka === '0.8'
        ? ancient(handle)
        : (request) => {
            const [fetch, listOffsets, metadata] = APIS[kafka];
            const apis = [
              [FETCH, 0, fetch],
              [LIST_OFFSETS, 0, listOffsets],
              [METADATA, 0, metadata],
            ] as const;
            if (request.apiKey === API_VERSIONS) this.#answer(request, apiVersionsBody(apis));
            else handle(request);
          };
  }

  static async start({ id = 1, kafka = '0.10.1' }: ScriptedBrokerOptions = {}): Promise<ScriptedBroker> {
    return new ScriptedBroker(await FakeBroker.start(() => undefined), id, kafka);
  }

  /** Connections there were. */
  get connections(): number {
    return this.#fake.sockets.length;
  }

  log(topic: string, partition: number): ScriptedLog {
    const key = `${topic}/${partition}`;
    const log = this.#logs.get(key) ?? new ScriptedLog();
    this.#logs.set(key, log);
    return log;
  }

  /** Appends messages with these values and wakes fetches that wait. */
  produce(topic: string, partition: number, ...values: readonly string[]): void {
    this.log(topic, partition).append(...values.map((value) => ({ value: Buffer.from(value) })));
    this.wake();
  }

  /** Answers fetches that wait, if there is something now. */
  wake(): void {
    for (const look of this.#waiting) look();
  }

  /** Fails if a client keeps a connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fake[Symbol.asyncDispose]();
    this.#waiting.clear();
  }

  /** Closes everything at once: the broker is dead. */
  async stop(): Promise<void> {
    await this.#fake.stop();
  }

  #handle(request: ReceivedRequest): void {
    const reader = new ByteReader(request.body, 'request');
    switch (request.apiKey) {
      case METADATA:
        this.#metadata(request, reader);
        return;
      case LIST_OFFSETS:
        this.#listOffsets(request, reader);
        return;
      case FETCH:
        void this.#fetch(request, reader);
    }
  }

  #metadata(request: ReceivedRequest, reader: ByteReader): void {
    this.metadataRequests += 1;
    const version = request.apiVersion;
    const since1 = (part: Buffer): Buffer => (version > 0 ? part : NOTHING);
    const since4 = (part: Buffer): Buffer => (version === 4 ? part : NOTHING);
    const partitionsOf = (topic: string): number[] =>
      [...this.#logs.keys()].flatMap((key) =>
        key.startsWith(`${topic}/`) ? [Number(key.split('/')[1])] : [],
      );
    const brokers = new Set<ScriptedBroker>([this]);
    const topics = reader.array(2, () => {
      const topic = reader.string();
      const partitions = partitionsOf(topic).map((partition) => {
        const leader = this.leaderOf(topic, partition);
        if (leader !== null) brokers.add(leader);
        return [
          int16(leader === null ? LEADERLESS : 0),
          int32(partition),
          int32(leader?.id ?? -1),
          int32(0),
          int32(0),
        ];
      });
      return [int16(0), string(topic), since1(int8(0)), array(partitions)];
    });
    const endpoints = Array.from(brokers, ({ endpoint: { id, host, port } }) => [
      ...[int32(id), string(host), int32(port)],
      since1(string(null)),
    ]);
    const parts = [
      since4(int32(0)),
      array(endpoints),
      since4(string(null)),
      since1(int32(-1)),
      array(topics),
    ];
    this.#answer(request, Buffer.concat(parts));
  }

  #listOffsets(request: ReceivedRequest, reader: ByteReader): void {
    reader.int32();
    const version = request.apiVersion;
    if (version >= 2) reader.int8();
    const topics = reader.array(6, () => {
      const topic = reader.string();
      const partitions = reader.array(12, () => {
        const partition = reader.int32();
        const time = reader.int64();
        if (version === 0) reader.int32();
        this.listed.push(`${topic}/${partition}`);
        const { listErrorCode: errorCode, start, end } = this.log(topic, partition);
        const offset = int64(time === LARGEST ? end : start);
        const offsets = version === 0 ? array(errorCode === 0 ? [[offset]] : []) : NOTHING;
        const stamped =
          version === 0 ? NOTHING : Buffer.concat([int64(-1), errorCode === 0 ? offset : int64(-1)]);
        return [int32(partition), int16(errorCode), offsets, stamped];
      });
      return [string(topic), array(partitions)];
    });
    this.#answer(request, Buffer.concat([version >= 2 ? int32(0) : NOTHING, array(topics)]));
  }

  async #fetch(request: ReceivedRequest, reader: ByteReader): Promise<void> {
    const { connection, apiVersion: version } = request;
    reader.int32();
    const maxWaitMs = reader.int32();
    const minBytes = reader.int32();
    const maxBytes = version >= 3 ? reader.int32() : Number.POSITIVE_INFINITY;
    const isolationLevel = version >= 4 ? reader.int8() : -1;
    if (version >= 7) reader.int64(); // session
    const partitions = reader
      .array(6, () => {
        const topic = reader.string();
        return reader.array(16, () => {
          const partition = reader.int32();
          if (version >= 9) reader.int32();
          const offset = reader.int64();
          if (version >= 5) reader.int64();
          return { topic, partition, offset, maxBytes: reader.int32() };
        });
      })
      .flat();
    const seen: SeenFetch = {
      atMs: performance.now(),
      ...{ version, maxWaitMs, minBytes, isolationLevel, partitions },
    };
    this.fetches.push(seen);
    const inFlight = (this.#inFlight.get(connection) ?? 0) + 1;
    this.#inFlight.set(connection, inFlight);
    this.mostInFlight = Math.max(this.mostInFlight, inFlight);
    this.onFetch(seen);
    await this.gate;
    const answers = await this.#whenReady(partitions, version >= 3, maxBytes, minBytes, maxWaitMs);
    this.#inFlight.set(connection, inFlight - 1);
    const byTopic = new Map<string, (readonly Buffer[])[]>();
    for (const { topic, partition, errorCode, highWatermark, aborted, records } of answers) {
      const group = byTopic.get(topic) ?? [];
      const transactions = isolationLevel === 1 ? aborted : null;
      group.push([
        ...[int32(partition), int16(errorCode), int64(highWatermark)],
        version >= 4 ? int64(highWatermark) : NOTHING,
        version >= 5 ? int64(0) : NOTHING,
        version >= 4 ? transactionsBody(transactions) : NOTHING,
        bytes(records),
      ]);
      byTopic.set(topic, group);
    }
    const topics = Array.from(byTopic, ([topic, group]) => [string(topic), array(group)]);
    const parts = [
      version >= 1 ? int32(0) : NOTHING,
      version >= 7 ? Buffer.concat([int16(this.fetchErrorCode), int32(0)]) : NOTHING,
      array(this.fetchErrorCode === 0 || version < 7 ? topics : []),
    ];
    this.#answer(request, Buffer.concat(parts));
  }

  /** As a broker does: at once if there is something to tell, else when there is, or the time is over. */
  #whenReady(
    partitions: readonly SeenPosition[],
    firstIsWhole: boolean,
    maxBytes: number,
    minBytes: number,
    maxWaitMs: number,
  ): Promise<FetchedAnswer[]> {
    return new Promise((resolve) => {
      const look = (isOver: boolean): void => {
        const answers = this.#read(partitions, maxBytes, firstIsWhole);
        const readBytes = answers.reduce((sum, { records }) => sum + records.length, 0);
        if (!isOver && readBytes < minBytes && answers.every(({ errorCode }) => errorCode === 0)) return;
        clearTimeout(timer);
        this.#waiting.delete(again);
        resolve(answers);
      };
      const again = (): void => look(false);
      const timer = setTimeout(() => look(true), maxWaitMs);
      timer.unref();
      this.#waiting.add(again);
      again();
    });
  }

  /** From version 3 on the first entry of all is whole, and a partition whose first entry does not fit has nothing. */
  #read(partitions: readonly SeenPosition[], maxBytes: number, firstIsWhole: boolean): FetchedAnswer[] {
    let leftBytes = maxBytes;
    let isFirst = true;
    return partitions.map((at) => {
      const log = this.#logs.get(`${at.topic}/${at.partition}`);
      const failed = (errorCode: number): FetchedAnswer => ({
        ...{ ...at, errorCode, highWatermark: -1, aborted: [], records: NOTHING },
      });
      if (log === undefined) return failed(UNKNOWN_PARTITION);
      if (log.errorCode !== 0) return failed(log.errorCode);
      if (log.records === null && (at.offset < log.start || at.offset > log.end)) return failed(OUT_OF_RANGE);
      const mostBytes = Math.max(0, Math.min(at.maxBytes, leftBytes));
      const records = firstIsWhole
        ? log.readWhole(at.offset, mostBytes, isFirst)
        : log.read(at.offset, mostBytes);
      leftBytes -= records.length;
      if (records.length > 0) isFirst = false;
      return { ...at, errorCode: 0, highWatermark: log.end, aborted: log.aborted, records };
    });
  }

  #answer({ socket, correlationId, apiKey }: ReceivedRequest, body: Buffer): void {
    const answer = frame(correlationId, body);
    if (this.closesInAnswer && apiKey === FETCH) {
      this.closesInAnswer = false;
      socket.end(answer.subarray(0, answer.length / 2));
    } else if (!socket.destroyed) socket.write(answer);
  }
}

function transactionsBody(aborted: ScriptedLog['aborted'] | null): Buffer {
  if (aborted === null) return int32(-1);
  return array(aborted.map(({ producerId, firstOffset }) => [int64(producerId), int64(firstOffset)]));
}
