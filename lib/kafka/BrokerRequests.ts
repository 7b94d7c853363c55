import type { Socket } from 'node:net';
import { ConnectorError } from '../errors';
import type { BrokerSecurity } from './brokerSecurity';
import type { BrokerSocket } from './brokerSocket';
import { errorText, isHangUp } from './errorText';
import { FrameReader } from './FrameReader';
import type { LoginConnection } from './sasl/logIn';
import { tlsAdvice } from './tlsAdvice';
import { ByteReader, ByteWriter, type KafkaRequest } from './wire';

export interface BrokerRequestsOptions {
  /** `host:port`, for messages. */
  readonly address: string;
  readonly clientId: string;
  /** Deadline of a request that brings none of its own. */
  readonly timeoutMs: number;
  readonly security: BrokerSecurity;
  /** The connection is lost, or what came makes no sense. Called before anything is rejected. */
  readonly onFailure: () => void;
}

export interface RequestOptions {
  /** The connection is given up when no byte has come for so long. */
  readonly timeoutMs?: number;
  /** Abort of a request that was sent closes the connection: its answer cannot be taken back. */
  readonly signal?: AbortSignal;
}

/** A request that was sent and not yet answered. */
interface Pending {
  /** Null for a bare token of a login. */
  readonly id: number | null;
  readonly maxBytes: number;
  /** How much of a longer answer is wanted. */
  readonly headBytes: number;
  /** Decodes the answer, or the head of one that is too long, and resolves; throws if it makes no sense. */
  readonly answer: (body: Buffer, isCut: boolean) => void;
  readonly fail: (error: ConnectorError) => void;
}

/** Longest answer taken until `open`: whose login is not over may be anybody. */
const MAX_LOGIN_BYTES = 64 * 1024;
const MAX_CORRELATION_ID = 0x7fff_ffff;
const LENGTH_BYTES = 4;

/**
 * Requests and answers on one socket. Requests may be sent without waiting for answers, which come in order.
 *
 * It works until the first thing that goes wrong: then the socket is destroyed and everything pending is rejected. Nothing is
 * ever thrown in an event of the socket.
 */
export class BrokerRequests implements LoginConnection {
  readonly address: string;
  readonly #options: BrokerRequestsOptions;
  readonly #socket: Socket;
  /** Cuts what comes into answers. */
  readonly #frames: FrameReader;
  /** Requests that wait for an answer, oldest first. */
  readonly #pending: Pending[] = [];
  /** Id of the last request sent. */
  #correlationId = 0;
  /** How many answers have come. */
  #answers = 0;
  /** How many bytes have come. */
  #receivedBytes = 0;
  /** Longest answer taken now. */
  #maxFrameBytes = MAX_LOGIN_BYTES;
  /** The broker has closed the connection. */
  #isHungUp = false;
  /** Why the connection is closed; null while it is open. */
  #closedBy: ConnectorError | null = null;

  /** @param socket - as `openBrokerSocket` gives it */
  constructor({ socket, readInto }: BrokerSocket, options: BrokerRequestsOptions) {
    this.address = options.address;
    this.#options = options;
    this.#socket = socket;
    this.#frames = new FrameReader(
      () => this.#pending[0],
      (body, isCut) => {
        // It stays pending until its answer made sense, so that it is rejected otherwise.
        this.#pending[0]?.answer(body, isCut);
        this.#pending.shift();
        this.#answers += 1;
      },
    );
    socket.on('error', (error) => {
      this.#isHungUp = isHangUp(error);
      this.#lose(`${errorText(error)}${this.#isHungUp ? this.#hint() : ''}`, error);
    });
    socket.on('end', () => {
      this.#isHungUp = true;
      this.#lose(`the broker closed it${this.#frames.inside ? ' inside an answer' : this.#hint()}`);
    });
    socket.on('close', () => this.#lose('it was closed'));
    readInto({
      room: () => this.#frames.room(),
      filled: (buffer, bytes) => this.#take(buffer, bytes),
    });
    // It may have been lost between its opening and these listeners, and then says nothing more.
    if (socket.destroyed) this.#lose('it was closed', socket.errored ?? undefined);
  }

  /** Takes longer answers from now on: the broker is known, and has let this client in. */
  open(maxFrameBytes: number): void {
    this.#maxFrameBytes = maxFrameBytes;
  }

  get isClosed(): boolean {
    return this.#closedBy !== null;
  }

  get isHungUp(): boolean {
    return this.#isHungUp;
  }

  /** Rejects with BROKER_UNREACHABLE (network, deadline, abort, closed) or BROKER_ERROR (an answer without sense). */
  request<T>(request: KafkaRequest<T>, options: RequestOptions = {}): Promise<T> {
    return this.#send(request.name, options, () => {
      const id = this.#correlationId === MAX_CORRELATION_ID ? 0 : this.#correlationId + 1;
      const frame = encode(request, id, this.#options.clientId);
      this.#correlationId = id;
      return {
        ...{ id, frame, headBytes: request.headBytes ?? 0 },
        read: (body, isCut) => {
          const reader = new ByteReader(body, request.name, this.address, isCut);
          const result = request.read(reader);
          reader.end();
          return result;
        },
      };
    });
  }

  /** Sends a token as it is, with its length in front, and gives the one that comes back. */
  exchangeToken(token: Buffer, options: RequestOptions = {}): Promise<Buffer> {
    return this.#send('a login token', options, () => {
      const writer = new ByteWriter();
      writer.bytes(token);
      return { id: null, frame: writer.toBuffer(), headBytes: 0, read: (body) => body };
    });
  }

  /** `prepare` is called only when the connection is open; it may throw for what cannot be sent. */
  #send<T>(
    name: string,
    { timeoutMs = this.#options.timeoutMs, signal }: RequestOptions,
    prepare: () => {
      id: number | null;
      frame: Buffer;
      headBytes: number;
      read: (body: Buffer, isCut: boolean) => T;
    },
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
      const { id, frame, headBytes, read } = prepare();
      let seenBytes = 0;
      let timer: NodeJS.Timeout | undefined;
      let grace: NodeJS.Immediate | undefined;
      const expire = (): void => {
        // A long answer on a slow line is on its way as long as bytes come (SO_TIMEOUT of the JVM).
        if (this.#receivedBytes === seenBytes) this.#lose(`no answer to ${name} within ${timeoutMs} ms`);
        else startClock();
      };
      const startClock = (): void => {
        seenBytes = this.#receivedBytes;
        // An event loop that was held up runs its timers first: the answer may lie there unread.
        timer = setTimeout(() => (grace = setImmediate(expire)), timeoutMs);
      };
      startClock();
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
        ...{ id, maxBytes: this.#maxFrameBytes, headBytes },
        answer: (body, isCut) => {
          const result = read(body, isCut);
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

  #take(buffer: Buffer, bytes: number): void {
    this.#receivedBytes += bytes;
    try {
      this.#frames.filled(buffer, bytes);
    } catch (error) {
      this.#options.onFailure();
      this.#end(ConnectorError.is(error) ? error : this.#refused(errorText(error), error));
    }
  }

  /** The connection is lost, or as good as lost. */
  #lose(why: string, cause?: unknown): void {
    if (this.#closedBy !== null) return;
    this.#options.onFailure();
    const advice = this.#options.security.tls && tlsAdvice(cause);
    if (advice === undefined) this.#end(this.#unreachable(`the connection was lost: ${why}`, cause));
    else this.#end(this.#refused(`${why}: ${advice}`, cause));
  }

  /** Why a broker may hang up at the first requests. */
  #hint(): string {
    const { tls, sasl } = this.#options.security;
    const always = '; if this happens always,';
    if (this.#pending.length === 0) return '';
    // With TLS 1.3 the client is connected before the broker has seen its certificate.
    if (this.#answers === 0 && tls)
      return `${always} it refuses the certificate of this client, or its absence: look at ssl.keystore.location`;
    if (this.#answers === 0) return `${always} the listener wants TLS: look at security.protocol`;
    // Before a login nothing but ApiVersions is answered.
    if (this.#answers === 1 && !sasl)
      return `${always} the listener wants a login: look at security.protocol`;
    return '';
  }

  #end(error: ConnectorError): void {
    if (this.#closedBy !== null) return;
    this.#closedBy = error;
    this.#frames.stop();
    this.#socket.destroy();
    for (const pending of this.#pending.splice(0)) pending.fail(error);
  }

  #unreachable(why: string, cause?: unknown): ConnectorError {
    const broker = this.address;
    return new ConnectorError('BROKER_UNREACHABLE', `broker ${broker}: ${why}`, { broker, cause });
  }

  #refused(why: string, cause: unknown): ConnectorError {
    const broker = this.address;
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
