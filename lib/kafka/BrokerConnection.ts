import type { Socket } from 'node:net';
import { ConnectorError } from '../errors';
import { apiVersionsRequest } from './apiVersions';
import { PLAINTEXT, type BrokerSecurity, type SaslSettings } from './brokerSecurity';
import { openBrokerSocket } from './brokerSocket';
import {
  brokerAddress,
  chooseVersions,
  mustAnswer,
  saslVersion,
  versionsWithoutAnswer,
  type BrokerEndpoint,
  type BrokerVersions,
  type SaslVersion,
} from './brokerVersions';
import type { BrokerVersionsMemory } from './BrokerVersionsMemory';
import { errorCode, errorText } from './errorText';
import { FrameReader } from './FrameReader';
import { logIn } from './sasl/logIn';
import { tlsAdvice } from './tlsAdvice';
import { ByteReader, ByteWriter, type KafkaRequest } from './wire';

export type { BrokerEndpoint, BrokerVersions } from './brokerVersions';

export interface BrokerConnectionOptions {
  readonly clientId: string;
  /** Deadline of each wait in `connect` (there are at most seven), and of a request that brings none of its own. */
  readonly timeoutMs: number;
  /** Longer answers are refused. */
  readonly maxFrameBytes: number;
  /** Default: plain text, no login. */
  readonly security?: BrokerSecurity;
  /** Ends `connect`; afterwards it is without effect. */
  readonly signal?: AbortSignal;
  /** Where to look and to note which brokers do not answer ApiVersions. */
  readonly memory?: BrokerVersionsMemory;
}

export interface RequestOptions {
  readonly timeoutMs?: number;
  /** Abort of a request that was sent closes the connection: its answer cannot be taken back. */
  readonly signal?: AbortSignal;
}

/** A request that was sent and not yet answered. */
interface Pending {
  /** Null for a bare token of a login. */
  readonly id: number | null;
  readonly maxBytes: number;
  /** Decodes the answer and resolves; throws if it makes no sense. */
  readonly answer: (body: Buffer) => void;
  readonly fail: (error: ConnectorError) => void;
}

/** 0.8 closes the connection when it is asked for its versions, 0.9 says nothing. */
const VERSIONS_TIMEOUT_MS = 2000;
/** Answers are no longer before the connection is given out: who has not logged in yet may be anybody. */
const MAX_LOGIN_BYTES = 256 * 1024;
const MAX_CORRELATION_ID = 0x7fff_ffff;
const LENGTH_BYTES = 4;

/**
 * One connection to one broker. Requests may be sent without waiting for answers, which come in order.
 *
 * It is open until the first thing that goes wrong: then the socket is destroyed, everything pending is rejected and
 * nothing is tried again here; the owner makes another one. Nothing is ever thrown in an event of the socket.
 */
export class BrokerConnection {
  readonly broker: BrokerEndpoint;
  readonly #options: BrokerConnectionOptions;
  readonly #socket: Socket;
  /** `host:port`, for messages. */
  readonly #address: string;
  /** Cuts what comes into answers. */
  readonly #frames: FrameReader;
  /** Requests that wait for an answer, oldest first. */
  readonly #pending: Pending[] = [];
  /** What the broker takes. */
  #versions: BrokerVersions;
  /** Id of the last request sent. */
  #correlationId = 0;
  /** How many answers have come. */
  #answers = 0;
  /** Longest answer taken now. */
  #maxFrameBytes = MAX_LOGIN_BYTES;
  /** The broker has closed it. */
  #isHungUp = false;
  /** Why the connection is closed; null while it is open. */
  #closedBy: ConnectorError | null = null;

  private constructor(broker: BrokerEndpoint, options: BrokerConnectionOptions, socket: Socket) {
    this.broker = broker;
    this.#options = options;
    this.#socket = socket;
    this.#address = brokerAddress(broker);
    this.#versions = versionsWithoutAnswer(broker);
    this.#frames = new FrameReader(
      () => this.#pending[0],
      (body) => {
        // It stays pending until its answer made sense, so that it is rejected otherwise.
        this.#pending[0]?.answer(body);
        this.#pending.shift();
        this.#answers += 1;
      },
    );
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => {
      this.#isHungUp = errorCode(error) === 'ECONNRESET';
      this.#lose(error.message, error);
    });
    socket.on('end', () => {
      this.#isHungUp = true;
      this.#lose(`the broker closed it${this.#frames.inside ? ' inside an answer' : this.#loginHint()}`);
    });
    socket.on('close', () => this.#lose('it was closed'));
    socket.resume();
  }

  /**
   * Connects and finds out the versions to use. A broker that does not answer ApiVersions is connected to once more and
   * taken for 0.8 or 0.9, unless its registration proves that it is newer: then silence is a failure, not an age, since
   * the old versions would cost it a conversion of every message and the messages their timestamps.
   */
  static async connect(broker: BrokerEndpoint, options: BrokerConnectionOptions): Promise<BrokerConnection> {
    const { memory, signal, timeoutMs, security = PLAINTEXT } = options;
    // Without an answer there is no login.
    const strict = mustAnswer(broker) || security.sasl !== undefined;
    if (!strict && memory?.isMute(broker)) return (await BrokerConnection.#open(broker, options)).#ready();
    const connection = await BrokerConnection.#open(broker, options);
    try {
      const answer = await connection.request(apiVersionsRequest(), {
        timeoutMs: strict ? timeoutMs : Math.min(timeoutMs, VERSIONS_TIMEOUT_MS),
        ...(signal && { signal }),
      });
      connection.#versions = chooseVersions(broker, answer);
      if (security.sasl) await connection.#logIn(security.sasl, saslVersion(answer));
      return connection.#ready();
    } catch (error) {
      connection.close();
      const silent = ConnectorError.is(error) && error.code === 'BROKER_UNREACHABLE';
      if (strict || !silent || signal?.aborted) throw error;
    }
    const plain = await BrokerConnection.#open(broker, options);
    memory?.rememberMute(broker);
    return plain.#ready();
  }

  static async #open(broker: BrokerEndpoint, options: BrokerConnectionOptions): Promise<BrokerConnection> {
    const { clientId, timeoutMs, signal, memory, security = PLAINTEXT } = options;
    const { host, port } = broker;
    try {
      const socket = await openBrokerSocket({
        ...{ host, port, clientId, timeoutMs, tls: security.tls },
        ...(signal && { signal }),
      });
      return new BrokerConnection(broker, options, socket);
    } catch (error) {
      if (!signal?.aborted) memory?.forget(broker);
      throw error;
    }
  }

  /** Versions to use with this broker. */
  get versions(): BrokerVersions {
    return this.#versions;
  }

  get closed(): boolean {
    return this.#closedBy !== null;
  }

  #ready(): this {
    this.#maxFrameBytes = this.#options.maxFrameBytes;
    return this;
  }

  async #logIn(sasl: SaslSettings, version: SaslVersion | null): Promise<void> {
    const { signal } = this.#options;
    if (version === null) {
      const text = `broker ${this.#address} has no login that this package knows (SaslHandshake), as Kafka has from 0.10 on`;
      throw new ConnectorError('BROKER_ERROR', text, { broker: this.#address });
    }
    const options = signal && { signal };
    const isHungUp = (): boolean => this.#isHungUp;
    await logIn(
      {
        address: this.#address,
        get isHungUp() {
          return isHungUp();
        },
        request: (request) => this.request(request, options),
        exchangeToken: (token) => this.#exchangeToken(token, options),
      },
      sasl,
      version,
    );
  }

  /** Rejects with BROKER_UNREACHABLE (network, deadline, abort, closed) or BROKER_ERROR (an answer without sense). */
  request<T>(request: KafkaRequest<T>, options: RequestOptions = {}): Promise<T> {
    return this.#send(request.name, options, () => {
      const id = this.#correlationId === MAX_CORRELATION_ID ? 0 : this.#correlationId + 1;
      const frame = encode(request, id, this.#options.clientId);
      this.#correlationId = id;
      return {
        ...{ id, frame },
        read: (body) => {
          const reader = new ByteReader(body, request.name, this.#address);
          const result = request.read(reader);
          reader.end();
          return result;
        },
      };
    });
  }

  /** Tokens of SaslHandshake v0 have a length in front and nothing else. */
  #exchangeToken(token: Buffer, options: RequestOptions = {}): Promise<Buffer> {
    return this.#send('a login token', options, () => {
      const writer = new ByteWriter();
      writer.bytes(token);
      return { id: null, frame: writer.toBuffer(), read: (body) => body };
    });
  }

  /** `prepare` is called only when the connection is open; it may throw for what cannot be sent. */
  #send<T>(
    name: string,
    { timeoutMs = this.#options.timeoutMs, signal }: RequestOptions,
    prepare: () => { id: number | null; frame: Buffer; read: (body: Buffer) => T },
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#closedBy !== null) {
        reject(this.#unreachable(`the connection is closed: ${this.#closedBy.message}`, this.#closedBy));
        return;
      }
      if (signal?.aborted) {
        reject(this.#unreachable(`${name} was aborted before it was sent`, signal.reason));
        return;
      }
      const { id, frame, read } = prepare();
      let grace: NodeJS.Immediate | undefined;
      const expire = (): void => this.#lose(`no answer to ${name} within ${timeoutMs} ms`);
      const timer = setTimeout(() => {
        // An event loop that was held up runs its timers first: the answer may lie there unread.
        grace = setImmediate(expire);
      }, timeoutMs);
      const onAbort = (): void => {
        this.#end(this.#unreachable(`${name} was aborted`, signal?.reason));
      };
      const settle = (): void => {
        clearTimeout(timer);
        clearImmediate(grace);
        signal?.removeEventListener('abort', onAbort);
      };
      signal?.addEventListener('abort', onAbort);
      this.#pending.push({
        ...{ id, maxBytes: this.#maxFrameBytes },
        answer: (body) => {
          const result = read(body);
          settle();
          resolve(result);
        },
        fail: (error) => {
          settle();
          reject(error);
        },
      });
      this.#socket.write(frame);
    });
  }

  /** At once; what is pending is rejected. */
  close(): void {
    this.#end(this.#unreachable('connection closed'));
  }

  #take(chunk: Buffer): void {
    try {
      this.#frames.push(chunk);
    } catch (error) {
      this.#options.memory?.forget(this.broker);
      this.#end(ConnectorError.is(error) ? error : this.#refused(errorText(error), error));
    }
  }

  /** The connection is lost, or as good as lost. */
  #lose(why: string, cause?: unknown): void {
    if (this.#closedBy !== null) return;
    this.#options.memory?.forget(this.broker);
    const advice = this.#options.security?.tls && tlsAdvice(cause);
    if (advice === undefined) this.#end(this.#unreachable(`the connection was lost: ${why}`, cause));
    else this.#end(this.#refused(`${why}: ${advice}`, cause));
  }

  /** A listener that wants a login answers nothing but ApiVersions before it. */
  #loginHint(): string {
    const isFirstRequest = this.#answers === 1 && this.#pending.length > 0;
    if (!isFirstRequest || this.#options.security?.sasl !== undefined) return '';
    return '; if this happens always, the listener wants a login: look at security.protocol';
  }

  #end(error: ConnectorError): void {
    if (this.#closedBy !== null) return;
    this.#closedBy = error;
    this.#frames.stop();
    this.#socket.destroy();
    for (const pending of this.#pending.splice(0)) pending.fail(error);
  }

  #unreachable(why: string, cause?: unknown): ConnectorError {
    const broker = this.#address;
    return new ConnectorError('BROKER_UNREACHABLE', `broker ${broker}: ${why}`, { broker, cause });
  }

  #refused(why: string, cause: unknown): ConnectorError {
    const broker = this.#address;
    return new ConnectorError('BROKER_ERROR', `broker ${broker}: ${why}`, { broker, cause });
  }
}

/** Length, api key, version, correlation id and client id in front of the body. */
function encode(request: KafkaRequest<unknown>, id: number, clientId: string): Buffer {
  const writer = new ByteWriter();
  writer.int32(0);
  writer.int16(request.apiKey);
  writer.int16(request.apiVersion);
  writer.int32(id);
  writer.string(clientId);
  request.write(writer);
  writer.setInt32(writer.length - LENGTH_BYTES, 0);
  return writer.toBuffer();
}
