import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { FrameSplitter } from './zookeeperFrames';
import { ByteCursor } from './zookeeperFramesCursor';

const HOST = '127.0.0.1';

/** With which anybody can take a session over. */
export interface SessionKey {
  readonly id: Buffer;
  readonly password: Buffer;
}

/** A ZooKeeper server's door that reads along which sessions the server opens. */
export class SessionTap implements AsyncDisposable {
  /** By session id as ZooKeeper writes it: "0x15c0ffee". */
  readonly keys = new Map<string, SessionKey>();
  readonly host = HOST;
  port = 0;
  readonly #server: Server;
  readonly #open = new Set<Socket>();

  private constructor(target: { readonly host: string; readonly port: number }) {
    this.#server = createServer((near) => {
      const far = connect(target);
      const answers = new FrameSplitter();
      let isFirst = true;
      far.on('data', (chunk: Buffer) => {
        for (const frame of isFirst ? answers.push(chunk) : []) {
          if (isFirst) this.#note(frame);
          isFirst = false;
        }
      });
      this.#open.add(near);
      near.pipe(far).pipe(near);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.setNoDelay();
        from.on('error', () => to.destroy());
        from.on('close', () => {
          this.#open.delete(near);
          to.destroy();
        });
      }
    });
  }

  static async to(target: { readonly host: string; readonly port: number }): Promise<SessionTap> {
    const tap = new SessionTap(target);
    tap.#server.listen(0, HOST);
    await once(tap.#server, 'listening');
    tap.port = (tap.#server.address() as AddressInfo).port;
    return tap;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const near of this.#open) near.destroy();
    await closed;
  }

  /** The answer to a connect request: version, timeout, id, password. */
  #note(frame: Buffer): void {
    const cursor = new ByteCursor(frame);
    cursor.skip(8);
    const rest = cursor.rest();
    const id = rest.subarray(0, 8);
    const length = rest.readInt32BE(8);
    this.keys.set(`0x${id.readBigUInt64BE().toString(16)}`, { id, password: rest.subarray(12, 12 + length) });
  }
}
