import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import type { BrokerAddress, ServerAddress } from '../support/cluster/clusterFiles';
import { FrameSplitter } from '../support/zookeeperFrames';
import { fetchedSets, type FetchedSet } from './fetchedSets';

const HOST = '127.0.0.1';
const FETCH = 1;
/** Of a request: its type, its version, and the name of who asks behind the correlation id. */
const VERSION_AT = 2;
const CLIENT_ID_AT = 8;

/** How the messages of a topic have come. */
export interface TopicSights {
  /** Versions of the fetches whose answers had any. */
  readonly versions: ReadonlySet<number>;
  readonly formats: ReadonlySet<number>;
  readonly codecs: ReadonlySet<string>;
}

/** A broker's door, with what goes through it. */
interface Tap {
  readonly server: Server;
  readonly port: number;
  readonly sockets: Set<Socket>;
}

/**
 * A door for each broker of a cluster, whose address the broker advertises. Everything is passed on as it is; what the
 * clients of certain names fetch is looked at.
 */
export class FetchTaps implements AsyncDisposable {
  /** What looking has failed of. */
  readonly errors: string[] = [];
  readonly #kafka: string;
  /** How the client.id of those begins that are looked at. */
  readonly #clientIds: string;
  /** By broker id. */
  readonly #taps = new Map<number, Tap>();
  readonly #sights = new Map<string, { versions: Set<number>; formats: Set<number>; codecs: Set<string> }>();

  constructor(kafka: string, clientIds: string) {
    this.#kafka = kafka;
    this.#clientIds = clientIds;
  }

  /** For `brokerProperties` of a cluster: makes the broker's door and says what the broker has to advertise. */
  readonly advertise = async (broker: BrokerAddress): Promise<Record<string, string>> => {
    const sockets = new Set<Socket>();
    const server = createServer((near) => this.#carry(near, connect(broker), sockets));
    server.listen(0, HOST);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    this.#taps.set(broker.id, { server, port, sockets });
    if (!this.#kafka.startsWith('0.8.')) return { 'advertised.listeners': `PLAINTEXT://${HOST}:${port}` };
    return { 'advertised.host.name': HOST, 'advertised.port': String(port) };
  };

  /** Where clients find the brokers. */
  get doors(): ServerAddress[] {
    return [...this.#taps.values()].map(({ port }) => ({ host: HOST, port }));
  }

  /**
   * Ends the connections of a broker that has been stopped, as the end of its process does: in a JVM that goes on, Kafka 0.8.1
   * leaves them open.
   */
  hangUp(brokerId: number): void {
    for (const socket of this.#taps.get(brokerId)?.sockets ?? []) socket.destroy();
  }

  sightsOf(topic: string): TopicSights {
    return this.#sights.get(topic) ?? { versions: new Set(), formats: new Set(), codecs: new Set() };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [...this.#taps.values()].map(async ({ server, sockets }) => {
        const closed = once(server, 'close');
        server.close();
        for (const socket of sockets) socket.destroy();
        await closed;
      }),
    );
  }

  #carry(near: Socket, far: Socket, sockets: Set<Socket>): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
    this.#look(near, far);
  }

  /** Requests are answered in their order. */
  #look(near: Socket, far: Socket): void {
    /** Version of the fetch for each request without an answer; null for another request. */
    const pending: (number | null)[] = [];
    const requests = new FrameSplitter();
    const answers = new FrameSplitter();
    const readRequests = (chunk: Buffer): void => {
      for (const frame of requests.push(chunk)) {
        if (!this.#isLookedAt(frame)) {
          near.off('data', readRequests);
          far.off('data', readAnswers);
          return;
        }
        pending.push(frame.readInt16BE(0) === FETCH ? frame.readInt16BE(VERSION_AT) : null);
      }
    };
    const readAnswers = (chunk: Buffer): void => {
      for (const frame of answers.push(chunk)) {
        const version = pending.shift();
        if (version == null) continue;
        try {
          for (const set of fetchedSets(version, frame)) this.#note(version, set);
        } catch (error) {
          this.errors.push(`an answer to Fetch v${version} cannot be read: ${String(error)}`);
        }
      }
    };
    near.on('data', readRequests);
    far.on('data', readAnswers);
  }

  #isLookedAt(request: Buffer): boolean {
    const sizeBytes = request.readInt16BE(CLIENT_ID_AT);
    const clientId = request.toString('utf8', CLIENT_ID_AT + 2, CLIENT_ID_AT + 2 + Math.max(0, sizeBytes));
    return clientId.startsWith(this.#clientIds);
  }

  #note(version: number, { topic, format, codec }: FetchedSet): void {
    const sights = this.#sights.get(topic) ?? {
      ...{ versions: new Set<number>(), formats: new Set<number>(), codecs: new Set<string>() },
    };
    this.#sights.set(topic, sights);
    sights.versions.add(version);
    sights.formats.add(format);
    sights.codecs.add(codec);
  }
}
