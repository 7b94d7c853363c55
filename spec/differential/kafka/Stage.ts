import type { Answer, Piece } from '../Comparison';
import { ZookeeperAdmin } from '../../support/cluster/ZookeeperAdmin';
import { cutAnswer, type CutAnswer } from './definitions/cutAnswer';
import type { Fields, MessageDefinitions } from './definitions/messageDefinition';
import type { Part } from './definitions/PartReader';
import { framed, writeRequest } from './definitions/writeRequest';
import { KnownNames, type Expected } from './KnownNames';
import { readJson } from './readJson';
import { withoutOrder } from './records/withoutOrder';
import { RawConnection } from '../RawConnection';
import type { Release } from './releases';
import type { Side } from './Side';

/** What was asked, and what came back with the names of this cluster put in. */
export interface Recorded {
  readonly request: string;
  readonly answer: Answer;
  /** As it came, and how it was read; only of answers of which nothing was renamed or left away by the script. */
  readonly source?: { readonly raw: Buffer; readonly read: (raw: Buffer) => readonly Piece[] };
}

export interface AskOptions {
  /** What is special about this request. */
  readonly note?: string;
  /** What fields have to have in this cluster, by their names without indices. */
  readonly expected?: Readonly<Record<string, Expected>>;
  /** Renames or reorders the parts, where it is not the same in each cluster of a release. */
  readonly arrange?: (parts: readonly Part[]) => readonly Part[];
  /** After this long without an answer it is "silent". */
  readonly timeoutMs?: number;
  readonly clientId?: string | null;
}

const ANSWER_LIMIT_MS = 10_000;
/** For what is not going to be answered. */
export const SILENCE_MS = 300;
export const CLIENT_ID = 'spec';

/** What a script acts on: one cluster, whose answers are written down. */
export class Stage implements AsyncDisposable {
  readonly release: Release;
  readonly side: Side;
  readonly zookeeper: ZookeeperAdmin;
  readonly names: KnownNames;
  readonly recorded: Recorded[] = [];
  readonly definitions: MessageDefinitions;
  /** By broker and name. */
  readonly #connections = new Map<string, RawConnection>();
  #correlationId = 0;
  #subject = '';

  private constructor(
    release: Release,
    side: Side,
    zookeeper: ZookeeperAdmin,
    definitions: MessageDefinitions,
  ) {
    this.release = release;
    this.side = side;
    this.zookeeper = zookeeper;
    this.definitions = definitions;
    this.names = new KnownNames(side.brokers);
  }

  static async open(release: Release, side: Side, definitions: MessageDefinitions): Promise<Stage> {
    const zookeeper = await ZookeeperAdmin.connect(side.zookeeperConnect);
    const stage = new Stage(release, side, zookeeper, definitions);
    const { id } = await readJson(zookeeper, '/cluster/id');
    if (typeof id === 'string') stage.names.add('cluster id', id);
    return stage;
  }

  /** What the requests that follow are about. */
  begin(subject: string): void {
    this.#subject = subject;
  }

  /** All versions that the release answers; empty if it does not know the request. */
  versions(api: string): number[] {
    const pair = this.release.versions[api];
    if (pair === undefined) return [];
    return Array.from({ length: pair[1] - pair[0] + 1 }, (_, index) => pair[0] + index);
  }

  /** The highest version that the release answers. */
  newest(api: string): number {
    return this.release.versions[api]?.[1] ?? 0;
  }

  /** Asks, and writes down what comes. */
  async ask(
    broker: number,
    api: string,
    version: number,
    fields: Fields,
    options: AskOptions = {},
  ): Promise<Fields> {
    const connection = await this.connection(broker);
    this.send(connection, api, version, fields, options.clientId);
    return this.receive(connection, api, version, options);
  }

  send(
    connection: RawConnection,
    api: string,
    version: number,
    fields: Fields,
    clientId?: string | null,
  ): void {
    connection.send(framed(this.request(api, version, fields, clientId)));
  }

  /** The next answer of a connection, written down as one to this request. */
  async receive(
    connection: RawConnection,
    api: string,
    version: number,
    options: AskOptions = {},
  ): Promise<Fields> {
    const raw = await connection.next(options.timeoutMs ?? ANSWER_LIMIT_MS);
    // Whoever does not answer one does not answer the next one either.
    if (raw === 'silent') connection.close();
    const request = `${api} v${version}${options.note === undefined ? '' : `, ${options.note}`}`;
    if (!Buffer.isBuffer(raw)) {
      this.#record(request, raw);
      return {};
    }
    const { arrange, expected } = options;
    const cut = (bytes: Buffer): CutAnswer =>
      cutAnswer(this.definitions.api(api), layoutOf(this.release, api, version), bytes);
    const translate = (parts: readonly Part[]): readonly Piece[] => {
      const ordered = withoutOrder(api, this.release.format, parts);
      return (arrange?.(ordered) ?? ordered).map((part) => this.names.translate(part, expected));
    };
    const { parts, fields } = cut(raw);
    if (!covers(parts, raw)) throw new Error(`${request}: the parts are not the whole answer`);
    const source = arrange === undefined && { raw, read: (bytes: Buffer) => translate(cut(bytes).parts) };
    this.#record(request, translate(parts), source || undefined);
    return fields;
  }

  /** Asks without writing anything down. */
  async look(broker: number, api: string, version: number, fields: Fields): Promise<Fields> {
    const connection = await this.connection(broker, 'looks');
    // Without a number of its own: how often a script has to look is not the same each time.
    const header = { version, correlationId: 0, clientId: CLIENT_ID };
    connection.send(framed(writeRequest(this.definitions.api(api), header, fields)));
    const raw = await connection.next(ANSWER_LIMIT_MS);
    if (!Buffer.isBuffer(raw)) throw new Error(`${api} v${version} at broker ${broker}: ${raw}`);
    return cutAnswer(this.definitions.api(api), version, raw).fields;
  }

  /** The bytes of a request, with the next correlation id, without the length of the frame. */
  request(api: string, version: number, fields: Fields, clientId: string | null = CLIENT_ID): Buffer {
    this.#correlationId += 1;
    const header = { version, correlationId: this.#correlationId, clientId };
    return writeRequest(this.definitions.api(api), header, fields);
  }

  /** Writes down something else than an answer, such as a node in ZooKeeper. */
  note(what: string, pieces: readonly Piece[]): void {
    this.#record(
      what,
      pieces.map((piece) => this.names.translate(piece)),
    );
  }

  /** An open connection; the one that was opened under the name before, as long as it is open. */
  async connection(broker: number, name = 'main'): Promise<RawConnection> {
    const key = `${broker} ${name}`;
    const before = this.#connections.get(key);
    if (before?.isOpen) return before;
    const opened = await RawConnection.open(this.#address(broker));
    this.#connections.set(key, opened);
    return opened;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections.values()) connection.close();
    await this.zookeeper.close();
  }

  #record(request: string, answer: Answer, source?: Recorded['source']): void {
    const label = `${this.#subject}: ${request}`;
    this.recorded.push({ request: label, answer, ...(source && { source }) });
  }

  #address(broker: number): Side['brokers'][number] {
    const address = this.side.brokers.find(({ id }) => id === broker);
    if (address === undefined) throw new Error(`there is no broker ${broker}`);
    return address;
  }
}

/** True for the oldest and the newest version that the release answers: where time counts, these have to do. */
export function isEdge({ release }: Stage, api: string, version: number): boolean {
  return release.versions[api]?.includes(version) === true;
}

function covers(parts: readonly Part[], raw: Buffer): boolean {
  return Buffer.concat(parts.filter(({ isInside }) => isInside !== true).map(({ bytes }) => bytes)).equals(
    raw,
  );
}

/** Kafka 0.8 answers what it does not know in the way that it knows; ApiVersions has one answer for that. */
function layoutOf({ format, versions }: Release, api: string, version: number): number {
  const newest = versions[api]?.[1] ?? version;
  if (version <= newest) return version;
  return api === 'ApiVersions' ? 0 : format === 0 ? newest : version;
}
