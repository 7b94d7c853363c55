import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { ProtocolReader } from '../../../../../lib/testing/kafka/protocol/ProtocolReader';
import { ProtocolWriter } from '../../../../../lib/testing/kafka/protocol/ProtocolWriter';
import type { Readable, Writable } from '../../../../../lib/testing/kafka/protocol/types';
import { FrameSplitter } from '../../../../../lib/testing/network/FrameSplitter';
import { waitFor } from '../../../../support/waitFor';

/** An API with both of its sides. */
interface WholeApi<W, A> {
  readonly key: number;
  readonly flexibleSince: number;
  readonly request: Writable<W>;
  readonly answer: Readable<A>;
}

const LIMIT_MS = 5000;
const API_VERSIONS = 18;

/** A connection to a broker that says what it is told to say. */
export class BrokerClient {
  /** Answers that nobody has taken, without their lengths. */
  readonly answers: Buffer[] = [];
  readonly #socket: Socket;
  #correlationId = 0;
  #isClosed = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const splitter = new FrameSplitter(0x7fff_ffff);
    socket.on('data', (chunk) => {
      splitter.push(chunk);
      for (let frame = splitter.next(); frame !== null; frame = splitter.next()) this.answers.push(frame);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
    });
  }

  static async connect(port: number): Promise<BrokerClient> {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const client = new BrokerClient(socket);
    await once(socket, 'connect');
    return client;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Resolves with the next answer, which has to be that of this request. */
  async ask<W, A>(api: WholeApi<W, A>, version: number, request: NoInfer<W>): Promise<A> {
    const correlationId = this.tell(api, version, request);
    const answer = await this.next();
    return this.#read(api, version, answer, correlationId);
  }

  /** Sends a request and returns its correlation id. */
  tell<W, A>(api: WholeApi<W, A>, version: number, request: NoInfer<W>): number {
    const isFlexible = version >= api.flexibleSince;
    const body = new ProtocolWriter(version, isFlexible);
    if (isFlexible) body.unsignedVarint(0);
    api.request.write(body, request);
    return this.tellRaw(api.key, version, body.toBuffer());
  }

  tellRaw(apiKey: number, version: number, body: Buffer): number {
    const correlationId = ++this.#correlationId;
    const header = Buffer.alloc(14);
    header.writeInt32BE(10 + body.length);
    header.writeInt16BE(apiKey, 4);
    header.writeInt16BE(version, 6);
    header.writeInt32BE(correlationId, 8);
    header.writeInt16BE(-1, 12);
    this.sendBytes(Buffer.concat([header, body]));
    return correlationId;
  }

  sendBytes(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  async next(): Promise<Buffer> {
    await waitFor(() => this.answers.length > 0 || this.#isClosed, {
      ...{ timeoutMs: LIMIT_MS, intervalMs: 1, description: 'an answer' },
    });
    const answer = this.answers.shift();
    if (answer === undefined) throw new Error('the broker has closed the connection');
    return answer;
  }

  async closed(): Promise<void> {
    await waitFor(() => this.#isClosed, {
      ...{ timeoutMs: LIMIT_MS, intervalMs: 1, description: 'the end of the connection' },
    });
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #read<W, A>(api: WholeApi<W, A>, version: number, answer: Buffer, correlationId: number): A {
    const isFlexible = version >= api.flexibleSince;
    const reader = new ProtocolReader(answer, version, isFlexible);
    expect(reader.int32()).toBe(correlationId);
    if (isFlexible && api.key !== API_VERSIONS) reader.unsignedVarint();
    const read = api.answer.read(reader);
    expect(reader.remainingBytes).toBe(0);
    return read;
  }
}
