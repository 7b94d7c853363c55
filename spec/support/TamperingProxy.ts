import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { FrameSplitter, withLength } from './zookeeperFrames';

const HOST = '127.0.0.1';
const FETCH = 1;

/** What becomes of the answer to a fetch: other bytes, or these and then the end of the connection. */
export type Tampered = Buffer | { readonly last: Buffer };

/**
 * Stands between clients and one broker, which has to advertise the proxy's address, and changes the answers to
 * fetches. What comes before `target` is set waits for it, so that the proxy can be there before its broker.
 */
export class TamperingProxy implements AsyncDisposable {
  /** Fetch requests so far. */
  fetchCount = 0;
  /** Gets each answer to a fetch, with its length in front; by default it passes as it is. */
  tamper: (answer: Buffer) => Tampered = (answer) => answer;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #target: Promise<number>;
  #setTarget: (port: number) => void = () => undefined;

  private constructor() {
    this.#target = new Promise((resolve) => (this.#setTarget = resolve));
    this.#server = createServer((near) => void this.#link(near));
  }

  static async listen(): Promise<TamperingProxy> {
    const proxy = new TamperingProxy();
    proxy.#server.listen(0, HOST);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The settings that make a broker of that release tell its clients this address. */
  advertisedBy(kafka: string): Record<string, string> {
    if (!kafka.startsWith('0.8.')) return { 'advertised.listeners': `PLAINTEXT://${HOST}:${this.port}` };
    return { 'advertised.host.name': HOST, 'advertised.port': String(this.port) };
  }

  /** The broker's own port. */
  set target(port: number) {
    this.#setTarget(port);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #link(near: Socket): Promise<void> {
    this.#hold(near);
    near.pause();
    const far = connect({ host: HOST, port: await this.#target, noDelay: true });
    this.#hold(far);
    far.on('close', () => near.destroy());
    near.on('close', () => far.destroy());

    /** Correlation ids of fetches that are not answered yet. */
    const fetches = new Set<number>();
    const requests = new FrameSplitter();
    near.on('data', (chunk: Buffer) => {
      for (const frame of requests.push(chunk)) {
        if (frame.readInt16BE(0) === FETCH) {
          this.fetchCount += 1;
          fetches.add(frame.readInt32BE(4));
        }
        far.write(withLength(frame));
      }
    });
    const answers = new FrameSplitter();
    far.on('data', (chunk: Buffer) => {
      for (const frame of answers.push(chunk)) {
        const answer = withLength(frame);
        const tampered = fetches.delete(frame.readInt32BE(0)) ? this.tamper(answer) : answer;
        if (Buffer.isBuffer(tampered)) near.write(tampered);
        else near.end(tampered.last, () => far.destroy());
      }
    });
    near.resume();
  }

  #hold(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }
}
