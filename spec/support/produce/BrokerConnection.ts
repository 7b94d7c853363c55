import { connect, type Socket } from 'node:net';

import { ByteReader, ByteWriter } from './bytes';
import type { Request } from './requests';

export interface BrokerAddress {
  readonly host: string;
  readonly port: number;
}

interface Pending {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const CLIENT_ID = 'spec';

/** One socket to a broker. It is used up by the first error: make another. */
export class BrokerConnection {
  readonly #socket: Socket;
  readonly #pending = new Map<number, Pending>();
  readonly #timeoutMs: number;
  #received: Buffer = Buffer.alloc(0);
  #correlationId = 0;
  /** Why it is used up, null while it is not. */
  #failure: Error | null = null;

  constructor({ host, port }: BrokerAddress, options: { timeoutMs: number }) {
    this.#timeoutMs = options.timeoutMs;
    this.#socket = connect({ host, port, noDelay: true });
    this.#socket.on('data', (chunk) => this.#receive(chunk));
    this.#socket.on('error', (error) => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error(`Broker ${host}:${port} closed the connection`)));
  }

  get isUsable(): boolean {
    return this.#failure === null;
  }

  async ask<T>({ apiKey, apiVersion, body, read }: Request<T>): Promise<T> {
    if (this.#failure !== null) throw this.#failure;
    const correlationId = this.#correlationId++;
    const header = new ByteWriter().int16(apiKey).int16(apiVersion).int32(correlationId).string(CLIENT_ID);
    this.#socket.write(new ByteWriter().bytes(header.raw(body).toBuffer()).toBuffer());
    const answer = await new Promise<Buffer>((resolve, reject) => {
      const timer = setTimeout(
        () => this.#fail(new Error(`No answer to request type ${apiKey} within ${this.#timeoutMs} ms`)),
        this.#timeoutMs,
      );
      this.#pending.set(correlationId, { resolve, reject, timer });
    });
    return read(new ByteReader(answer));
  }

  close(): void {
    this.#fail(new Error('The connection was closed by its user'));
  }

  #receive(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    while (this.#received.length >= 4) {
      const end = 4 + this.#received.readInt32BE(0);
      if (this.#received.length < end) return;
      const correlationId = this.#received.readInt32BE(4);
      const pending = this.#pending.get(correlationId);
      this.#pending.delete(correlationId);
      clearTimeout(pending?.timer);
      pending?.resolve(this.#received.subarray(8, end));
      this.#received = this.#received.subarray(end);
    }
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#socket.destroy();
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#pending.clear();
  }
}
