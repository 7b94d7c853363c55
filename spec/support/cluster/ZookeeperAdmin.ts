import { once } from 'node:events';
import type { Socket } from 'node:net';

import zookeeper, { type Client, type Exception, type Stat } from 'node-zookeeper-client';

import { withDeadline } from '../waitFor';

export interface ZookeeperNodeState {
  /** Null for a node without data, as for one with no bytes: the client does not tell them apart. */
  readonly data: Buffer | null;
  /** Session id such as "0x15c0ffee", or "0x0" for a persistent node. */
  readonly ephemeralOwner: string;
  readonly version: number;
  /** Number of changes of its children. */
  readonly childrenVersion: number;
  readonly childrenCount: number;
  /** Transaction that created the node; grows with each transaction of the ensemble. */
  readonly createdZxid: bigint;
  readonly modifiedZxid: bigint;
}

/** Exceptions are errors, which their types do not say. */
type Callback<T> = (error: Error | Exception | null, value: T) => void;

/** What specs do to ZooKeeper beside the code under test: promises, a deadline on each, no watches. */
export class ZookeeperAdmin implements AsyncDisposable {
  readonly #client: Client;
  readonly #timeoutMs: number;

  private constructor(client: Client, timeoutMs: number) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
  }

  /** `connect` as in zookeeper.connect, with or without a chroot, which need not exist yet. */
  static async connect(connect: string, options: { timeoutMs?: number } = {}): Promise<ZookeeperAdmin> {
    const timeoutMs = options.timeoutMs ?? 15_000;
    const client = zookeeper.createClient(connect, { sessionTimeout: 10_000, spinDelay: 100, retries: 3 });
    const connected = once(client, 'connected');
    client.connect();
    try {
      await withDeadline(connected, timeoutMs, `connection to ZooKeeper at ${connect}`);
    } catch (error) {
      abandon(client);
      throw error;
    }
    return new ZookeeperAdmin(client, timeoutMs);
  }

  /** Id of the own session, in the form of `ephemeralOwner`. */
  get sessionId(): string {
    return hex(this.#client.getSessionId());
  }

  async get(path: string): Promise<ZookeeperNodeState | null> {
    return this.#unlessMissing(null, `get ${path}`, (done: Callback<ZookeeperNodeState>) =>
      this.#client.getData(path, (error, data: Buffer | undefined, stat) => {
        if (error) done(error, null as never);
        else done(null, describe(data, stat));
      }),
    );
  }

  async exists(path: string): Promise<boolean> {
    return (await this.get(path)) !== null;
  }

  /** Sorted; empty for a missing node. */
  async children(path: string): Promise<string[]> {
    const names = await this.#unlessMissing([], `children of ${path}`, (done: Callback<string[]>) =>
      this.#client.getChildren(path, done),
    );
    return names.sort();
  }

  /** After a lost connection it is asked again, so NODE_EXISTS may then mean the own success. */
  async create(
    path: string,
    data: Buffer | string | null = null,
    options: { ephemeral?: boolean } = {},
  ): Promise<void> {
    const { EPHEMERAL, PERSISTENT } = zookeeper.CreateMode;
    const mode = options.ephemeral === true ? EPHEMERAL : PERSISTENT;
    await this.#ask(`create ${path}`, (done: Callback<string>) => {
      if (data === null) this.#client.create(path, mode, done);
      else this.#client.create(path, Buffer.from(data), mode, done);
    });
  }

  async set(path: string, data: Buffer | string, version = -1): Promise<void> {
    await this.#ask(`set ${path}`, (done: Callback<Stat>) =>
      this.#client.setData(path, Buffer.from(data), version, done),
    );
  }

  /** The node with all its missing parents; nothing happens if it exists. */
  async mkdirp(path: string): Promise<void> {
    const names = path.split('/').filter((name) => name !== '');
    for (let depth = 1; depth <= names.length; depth++) {
      const prefix = `/${names.slice(0, depth).join('/')}`;
      if (await this.exists(prefix)) continue;
      await this.create(prefix).catch((error: unknown) => {
        if (codeOf(error) !== 'NODE_EXISTS') throw error;
      });
    }
  }

  async remove(path: string, version = -1): Promise<void> {
    await this.#ask(`remove ${path}`, (done: Callback<undefined>) =>
      this.#client.remove(path, version, (error) => done(error, undefined)),
    );
  }

  /** The node and everything below it; nothing happens if it is missing. */
  async removeRecursive(path: string): Promise<void> {
    for (const name of await this.children(path)) await this.removeRecursive(join(path, name));
    await this.remove(path).catch(async (error: unknown) => {
      // Somebody may add a child at the same time.
      if (codeOf(error) === 'NOT_EMPTY') await this.removeRecursive(path);
      else if (codeOf(error) !== 'NO_NODE') throw error;
    });
  }

  /** Every path at and below this one, with its data as text ('' for none). */
  async tree(path: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const walk = async (at: string): Promise<void> => {
      const node = await this.get(at);
      if (node === null) return;
      found.set(at, node.data?.toString('utf8') ?? '');
      for (const name of await this.children(at)) await walk(join(at, name));
    };
    await walk(path);
    return found;
  }

  async close(): Promise<void> {
    if (this.#client.getState() !== zookeeper.State.SYNC_CONNECTED) {
      abandon(this.#client);
      return;
    }
    const gone = once(this.#client, 'disconnected');
    this.#client.close();
    await withDeadline(gone, this.#timeoutMs, 'end of the ZooKeeper session');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #unlessMissing<T, M>(
    missing: M,
    description: string,
    call: (done: Callback<T>) => void,
  ): Promise<T | M> {
    try {
      return await this.#ask(description, call);
    } catch (error) {
      if (codeOf(error) === 'NO_NODE') return missing;
      throw error;
    }
  }

  #ask<T>(description: string, call: (done: Callback<T>) => void): Promise<T> {
    const answer = new Promise<T>((resolve, reject) => {
      call((error, value) => {
        const failure: unknown = error;
        if (error) reject(failure);
        else resolve(value);
      });
    });
    return withDeadline(answer, this.#timeoutMs, `ZooKeeper: ${description}`);
  }
}

/**
 * Ends a client that is not connected. Its own close() would break on the answer to a connection that is just being
 * made, so instead it is kept from connecting again; a connection that comes about nevertheless is closed.
 */
function abandon(client: Client): void {
  const { connectionManager } = client as unknown as {
    connectionManager: { connect: () => void; socket?: Socket };
  };
  connectionManager.connect = () => undefined;
  client.once('connected', () => client.close());
  connectionManager.socket?.destroy();
}

function describe(data: Buffer | undefined, stat: Stat): ZookeeperNodeState {
  return {
    data: data === undefined || data.length === 0 ? null : data,
    ephemeralOwner: hex(stat.ephemeralOwner),
    version: stat.version,
    childrenVersion: stat.cversion,
    childrenCount: stat.numChildren,
    createdZxid: stat.czxid.readBigUInt64BE(),
    modifiedZxid: stat.mzxid.readBigUInt64BE(),
  };
}

function hex(id: Buffer): string {
  return `0x${id.readBigUInt64BE().toString(16)}`;
}

function join(parent: string, name: string): string {
  return parent === '/' ? `/${name}` : `${parent}/${name}`;
}

/** Name of ZooKeeper's error, such as NO_NODE. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'name' in error ? error.name : null;
}
