import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import type { ServerAddress } from '../support/cluster/clusterFiles';

/** A frame's content, or that the server ended the connection, or that nothing came in time. */
export type RawAnswer = Buffer | 'closed' | 'silent';

/** One connection to a server: bytes go out as they are given, frames come in the order of their arrival. */
export class RawConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #isClosed = false;
  /** Tells the one who waits that something has changed. */
  #changed: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#changed();
    });
    // A reset is an end like any other: which one it is depends on what the server had not read yet.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#isClosed = true;
      this.#changed();
    });
  }

  static async open({ host, port }: ServerAddress): Promise<RawConnection> {
    const socket = connect({ host, port, noDelay: true });
    const connection = new RawConnection(socket);
    await once(socket, 'connect');
    return connection;
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#socket.destroyed;
  }

  send(bytes: Buffer): void {
    if (!this.#isClosed) this.#socket.write(bytes);
  }

  /** Nothing more is sent, as the other end sees. */
  finish(): void {
    this.#socket.end();
  }

  /** The next frame, without its length. */
  next(timeoutMs: number): Promise<RawAnswer> {
    return this.#wait(timeoutMs, () => this.#takeFrame());
  }

  /** Whatever comes up to the end of the connection. */
  async bytesToTheEnd(timeoutMs: number): Promise<Buffer | 'silent'> {
    const end = await this.#wait(timeoutMs, () => null);
    return end === 'closed' ? this.#received : 'silent';
  }

  close(): void {
    this.#socket.destroy();
  }

  async #wait(timeoutMs: number, take: () => Buffer | null): Promise<RawAnswer> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const taken = take();
      if (taken !== null) return taken;
      if (this.#isClosed) return 'closed';
      const left = end - Date.now();
      if (left <= 0) return 'silent';
      await this.#change(left);
    }
  }

  #takeFrame(): Buffer | null {
    if (this.#received.length < 4) return null;
    const end = 4 + this.#received.readInt32BE();
    if (this.#received.length < end) return null;
    const frame = this.#received.subarray(4, end);
    this.#received = this.#received.subarray(end);
    return frame;
  }

  #change(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, timeoutMs);
      function done(): void {
        clearTimeout(timer);
        resolve();
      }
      this.#changed = done;
    });
  }
}
