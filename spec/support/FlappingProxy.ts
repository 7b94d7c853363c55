import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

import { resetSocket } from '../../lib/testing/network/resetSocket';

const HOST = '127.0.0.1';

/** When a connection is reset: behind so many bytes of the server's answers, or so long after it was accepted. */
export type Flap = { readonly afterBytes: number } | { readonly afterMs: number };

/** A server that lets everybody in and nobody stay. */
export class FlappingProxy implements AsyncDisposable {
  /** `performance.now()` of each connection. */
  readonly acceptedAtMs: number[] = [];
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(target: { readonly host: string; readonly port: number }, next: () => Flap) {
    this.#server = createServer((near) => this.#carry(near, connect(target), next()));
  }

  /** `next` says what happens to each connection. */
  static async to(
    target: { readonly host: string; readonly port: number },
    next: () => Flap,
  ): Promise<FlappingProxy> {
    const proxy = new FlappingProxy(target, next);
    proxy.#server.listen(0, HOST);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get address(): string {
    return `${HOST}:${(this.#server.address() as AddressInfo).port}`;
  }

  get openCount(): number {
    return this.#open.size;
  }

  /** Resets all connections; new ones are welcome. */
  cut(): void {
    for (const near of [...this.#open]) resetSocket(near);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const near of this.#open) near.destroy();
    await closed;
  }

  #carry(near: Socket, far: Socket, flap: Flap): void {
    this.acceptedAtMs.push(performance.now());
    this.#open.add(near);
    let left = 'afterBytes' in flap ? flap.afterBytes : Infinity;
    const timer = 'afterMs' in flap ? setTimeout(() => resetSocket(near), flap.afterMs) : undefined;
    near.on('data', (chunk: Buffer) => far.write(chunk));
    far.on('data', (chunk: Buffer) => {
      if (near.destroyed) return;
      const part = chunk.subarray(0, left);
      left -= part.length;
      // The reset would overtake bytes that were written and have not been read.
      near.write(part, () => left === 0 && near.destroy());
    });
    if (left === 0) resetSocket(near);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.setNoDelay();
      from.on('error', () => to.destroy());
      from.on('close', () => {
        clearTimeout(timer);
        this.#open.delete(near);
        to.destroy();
      });
    }
  }
}
