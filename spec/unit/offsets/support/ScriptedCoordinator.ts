import { ByteReader } from '../../../../lib/kafka/wire';
import type { TopicPartition } from '../../../../lib/types';
import { array, int16, int32, string } from '../../kafka/support/bytes';
import {
  ancient,
  API_VERSIONS,
  apiVersionsBody,
  FakeBroker,
  frame,
  METADATA,
  type ReceivedRequest,
} from '../../kafka/support/FakeBroker';

const OFFSET_COMMIT = 8;
const OFFSET_FETCH = 9;
const FIND_COORDINATOR = 10;
const NAMES: ReadonlyMap<number, string> = new Map([
  [OFFSET_COMMIT, 'OffsetCommit'],
  [OFFSET_FETCH, 'OffsetFetch'],
  [FIND_COORDINATOR, 'FindCoordinator'],
]);
/** The range of each API of a broker since 0.10.2. */
const APIS = [
  [1, 0, 3],
  [2, 0, 1],
  [METADATA, 0, 2],
  [OFFSET_COMMIT, 0, 2],
  [OFFSET_FETCH, 0, 2],
  [FIND_COORDINATOR, 0, 0],
] as const;

export interface ScriptedPosition {
  readonly offset: bigint;
  readonly errorCode: number;
}

/** What becomes of a request: its answer, no answer, or the end of the connection. */
export type Fate = 'answer' | 'silence' | 'hang up';

export interface ScriptedCoordinatorOptions {
  readonly id?: number;
  /** Answers ApiVersions with these; null for a broker of 0.8, which hangs up. */
  readonly apis?: readonly (readonly [number, number, number])[] | null;
}

/** A broker that answers FindCoordinator, OffsetCommit and OffsetFetch as a spec says. */
export class ScriptedCoordinator implements AsyncDisposable {
  readonly endpoint: { readonly id: number; readonly host: string; readonly port: number };
  /** Such as "OffsetCommit t/0=5 t/1=6", in the order in which they came. */
  readonly asked: string[] = [];
  /** When each of them came. */
  readonly askedMs: number[] = [];
  /** The code of FindCoordinator, and whom it names. */
  findErrorCode = 0;
  coordinator: () => ScriptedCoordinator = () => this;
  /** What becomes of the requests that come; those of each name count from 1. */
  fate: (name: string, nth: number) => Fate = () => 'answer';
  /** The error codes of the partitions in the answer to the nth commit. */
  commitErrorCode: (at: TopicPartition, nth: number) => number = () => 0;
  /** The partitions that the answer to a commit or a fetch names. */
  answered: (asked: readonly TopicPartition[]) => readonly TopicPartition[] = (asked) => asked;
  /** The partitions in the answer to the nth fetch. */
  stored: (at: TopicPartition, nth: number) => ScriptedPosition = () => ({ offset: -1n, errorCode: 0 });
  /** The error of the group in the answer to a fetch. */
  groupErrorCode = 0;
  readonly #fake: FakeBroker;

  private constructor(fake: FakeBroker, { id = 1, apis = APIS }: ScriptedCoordinatorOptions) {
    this.#fake = fake;
    this.endpoint = { id, ...fake.endpoint };
    const handle = (request: ReceivedRequest): void => this.#handle(request);
    fake.handler =
      apis === null
        ? ancient(handle)
        : (request) => {
            if (request.apiKey === API_VERSIONS) answer(request, [apiVersionsBody(apis)]);
            else handle(request);
          };
  }

  static async start(options: ScriptedCoordinatorOptions = {}): Promise<ScriptedCoordinator> {
    return new ScriptedCoordinator(await FakeBroker.start(() => undefined), options);
  }

  /** Connections that are open. */
  get openConnections(): number {
    return this.#fake.sockets.filter((socket) => !socket.destroyed).length;
  }

  /** Ends all connections, as a broker does with those that are idle. */
  hangUp(): void {
    for (const socket of this.#fake.sockets) socket.destroy();
  }

  /** Fails if a client keeps a connection. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fake[Symbol.asyncDispose]();
  }

  /** Closes everything at once: the broker is dead. */
  async stop(): Promise<void> {
    await this.#fake.stop();
  }

  #handle(request: ReceivedRequest): void {
    const name = NAMES.get(request.apiKey) ?? `request ${request.apiKey}`;
    const nth = this.asked.filter((one) => one.startsWith(name)).length + 1;
    const { text, parts } = this.#read(request, nth);
    this.asked.push(`${name}${text}`);
    this.askedMs.push(performance.now());
    const fate = this.fate(name, nth);
    if (fate === 'hang up') request.socket.destroy();
    if (fate === 'answer') answer(request, parts);
  }

  #read(request: ReceivedRequest, nth: number): { text: string; parts: readonly Buffer[] } {
    const reader = new ByteReader(request.body, 'request');
    const { apiKey, apiVersion } = request;
    reader.string(); // group
    if (apiKey === FIND_COORDINATOR) {
      const { id, host, port } = this.coordinator().endpoint;
      const isFound = this.findErrorCode === 0;
      const parts = isFound ? [int32(id), string(host), int32(port)] : [int32(-1), string(''), int32(-1)];
      return { text: '', parts: [int16(this.findErrorCode), ...parts] };
    }
    if (apiKey === OFFSET_FETCH) {
      const asked = reader.array(6, () => {
        const topic = reader.string();
        return reader.array(4, () => ({ topic, partition: reader.int32() }));
      });
      const partitions = asked.flat();
      const topics = byTopic(this.answered(partitions), (at) => {
        const { offset, errorCode } = this.stored(at, nth);
        const bytes = Buffer.alloc(8);
        bytes.writeBigInt64BE(offset);
        return [int32(at.partition), bytes, string(''), int16(errorCode)];
      });
      const text = partitions.map(({ topic, partition }) => ` ${topic}/${partition}`).join('');
      return { text, parts: [topics, ...(apiVersion >= 2 ? [int16(this.groupErrorCode)] : [])] };
    }
    reader.int32(); // generation
    reader.string(); // member
    if (apiVersion >= 2) reader.int64(); // retention
    const asked = reader.array(6, () => {
      const topic = reader.string();
      return reader.array(14, () => {
        const at = { topic, partition: reader.int32(), nextOffset: reader.int64() };
        if (apiVersion === 1) reader.int64(); // time
        reader.string(); // metadata
        return at;
      });
    });
    const positions = asked.flat();
    const topics = byTopic(this.answered(positions), (at) => [
      int32(at.partition),
      int16(this.commitErrorCode(at, nth)),
    ]);
    const text = positions.map(({ topic, partition, nextOffset }) => ` ${topic}/${partition}=${nextOffset}`);
    return { text: text.join(''), parts: [topics] };
  }
}

function answer({ socket, correlationId }: ReceivedRequest, parts: readonly Buffer[]): void {
  socket.write(frame(correlationId, Buffer.concat(parts)));
}

/** Each partition by itself: a topic may be there twice. */
function byTopic(
  partitions: readonly TopicPartition[],
  write: (at: TopicPartition) => readonly Buffer[],
): Buffer {
  return array(partitions.map((at) => [string(at.topic), array([write(at)])]));
}
