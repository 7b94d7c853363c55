import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { resetSocket } from '../../lib/testing/network/resetSocket';

const HOST = '127.0.0.1';

/** Which bytes a silent network swallows: what the client sends, what it is answered, or both. */
export type Direction = 'requests' | 'answers' | 'both';

interface Link {
  /** Towards the client under test. */
  readonly near: Socket;
  /** Towards the real server. */
  readonly far: Socket;
}

/** A network that can fail, between a client and a server on this machine. */
export class TcpProxy implements AsyncDisposable {
  /** How many connections clients have made so far. */
  acceptedCount = 0;
  /** Latency added in each direction. */
  delayMs = 0;
  readonly #target: { readonly host: string; readonly port: number };
  readonly #links = new Set<Link>();
  #server: Server;
  #port = 0;
  #silence: Direction | null = null;

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#target = target;
    this.#server = this.#makeServer();
  }

  static async to(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    await proxy.#listen();
    return proxy;
  }

  get host(): string {
    return HOST;
  }

  get port(): number {
    return this.#port;
  }

  get address(): string {
    return `${HOST}:${this.#port}`;
  }

  /** Connections that are open now. */
  get openCount(): number {
    return this.#links.size;
  }

  /** From now on, bytes of that direction go nowhere, and nobody is told; new connections are accepted, too. */
  blackHole(direction: Direction = 'both'): void {
    this.#silence = direction;
    for (const link of this.#links) this.#apply(link);
  }

  /** Ends a black hole: what was sent meanwhile arrives, as by TCP's retransmission. */
  heal(): void {
    this.#silence = null;
    for (const link of this.#links) this.#apply(link);
  }

  /** Resets all connections; new ones are welcome. */
  cut(): void {
    for (const { near, far } of [...this.#links]) {
      resetSocket(near);
      resetSocket(far);
    }
  }

  /** Resets all connections and refuses new ones, as if nothing listened there. */
  async refuse(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** After `refuse`: on the same port again. */
  async accept(): Promise<void> {
    this.#server = this.#makeServer();
    await this.#listen();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.refuse();
  }

  async #listen(): Promise<void> {
    this.#server.listen(this.#port, HOST);
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  #makeServer(): Server {
    return createServer({ allowHalfOpen: true }, (near) => {
      this.acceptedCount += 1;
      const link: Link = { near, far: connect({ ...this.#target, allowHalfOpen: true }) };
      this.#links.add(link);
      this.#carry(link, near, link.far);
      this.#carry(link, link.far, near);
      this.#apply(link);
    });
  }

  #carry(link: Link, from: Socket, to: Socket): void {
    from.setNoDelay();
    const later = (action: () => void): void => {
      if (this.delayMs > 0) setTimeout(action, this.delayMs);
      else action();
    };
    from.on('data', (chunk: Buffer) => later(() => to.write(chunk)));
    from.on('end', () => later(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#links.delete(link);
      later(() => to.destroy());
    });
  }

  #apply({ near, far }: Link): void {
    const swallows = (direction: Direction): boolean =>
      this.#silence === 'both' || this.#silence === direction;
    if (swallows('requests')) near.pause();
    else near.resume();
    if (swallows('answers')) far.pause();
    else far.resume();
  }
}
