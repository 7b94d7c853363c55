import { ConnectorError } from '../errors';
import { requestError } from './sessionErrors';
import {
  failureCode,
  type FailureCode,
  type Znode,
  type ZnodeAccess,
  type ZnodeKind,
  type ZnodeStat,
} from './sessionTypes';
import type { ZookeeperClient } from './ZookeeperClient';

/** Servers cut the connection at packets of 1 MiB; the header needs some room too. */
const MAX_BYTES = 1024 * 1024 - 1024;

/** How often a node is tried again after its parents were made and vanished again. */
const MAX_ROUNDS = 5;

/** What the requests need to know about their session. */
export interface RequestGate {
  readonly client: ZookeeperClient;
  /** Access to a node that is made at that path. */
  accessOf(path: string): ZnodeAccess;
  /** Resolves when connected; rejects at the deadline, or with the reason when the session is over. */
  ready(path: string, deadlineMs: number): Promise<void>;
  /** Why nothing more can be asked; undefined while the session lives. */
  finalError(path: string): ConnectorError | undefined;
}

interface Change<Result> {
  readonly path: string;
  readonly deadlineMs: number;
  /** For the limit of the size. */
  readonly data: Buffer | null;
  attempt(): Promise<unknown>;
  readonly done: Result;
  /** Failures that are results. */
  readonly answers: { readonly [Code in FailureCode]?: Result };
  /** Whether the change was made before the connection broke. */
  settle(): Promise<Result | 'repeat' | 'unknown'>;
}

/**
 * Requests with a meaning: failures become results or ConnectorErrors, and a connection that breaks before the answer is dealt with.
 * Reads are repeated. Of a change it is then unknown whether it was made: the node is looked at, and the change is repeated only
 * where that does no harm. Every request ends within one session timeout.
 */
export class SessionRequests {
  readonly #gate: RequestGate;

  constructor(gate: RequestGate) {
    this.#gate = gate;
  }

  exists(path: string, watch: boolean, deadlineMs = this.#deadlineMs()): Promise<ZnodeStat | null> {
    return this.#ask(path, deadlineMs, () => this.#gate.client.exists(path, watch, deadlineMs));
  }

  read(path: string, watch: boolean, deadlineMs = this.#deadlineMs()): Promise<Znode | null> {
    return this.#orAbsent(path, watch, deadlineMs, () => this.#gate.client.read(path, watch, deadlineMs));
  }

  children(path: string, watch: boolean, deadlineMs = this.#deadlineMs()): Promise<string[] | null> {
    return this.#orAbsent(path, watch, deadlineMs, () => this.#gate.client.children(path, watch, deadlineMs));
  }

  create(
    path: string,
    data: Buffer | null,
    kind: ZnodeKind,
    deadlineMs = this.#deadlineMs(),
  ): Promise<'created' | 'exists' | 'no-parent'> {
    const { client } = this.#gate;
    const access = this.#gate.accessOf(path);
    return this.#change({
      ...{ path, data, deadlineMs },
      attempt: () => client.create(path, data, kind, access, deadlineMs),
      done: 'created',
      answers: { NODE_EXISTS: 'exists', NO_NODE: 'no-parent' },
      settle: async () => {
        const node = await this.read(path, false, deadlineMs);
        if (node === null) return 'repeat';
        const isOwn = kind === 'ephemeral' && node.ephemeralOwner === client.sessionId;
        return isOwn && node.data.equals(data ?? Buffer.alloc(0)) ? 'created' : 'exists';
      },
    });
  }

  async createWithParents(
    path: string,
    data: Buffer | null,
    kind: ZnodeKind,
    deadlineMs = this.#deadlineMs(),
  ): Promise<'created' | 'exists'> {
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const result = await this.create(path, data, kind, deadlineMs);
      if (result !== 'no-parent') return result;
      const parent = path.slice(0, path.lastIndexOf('/'));
      // The chroot itself is gone; making it anew is not for a consumer to decide.
      if (parent === '') break;
      await this.createWithParents(parent, null, 'persistent', deadlineMs);
    }
    throw new ConnectorError('ZOOKEEPER_UNREACHABLE', `The parents of ${path} vanish again and again.`, {
      path,
    });
  }

  write(path: string, data: Buffer): Promise<'written' | 'absent'> {
    const deadlineMs = this.#deadlineMs();
    return this.#change({
      ...{ path, data, deadlineMs },
      attempt: () => this.#gate.client.write(path, data, -1, deadlineMs),
      done: 'written',
      answers: { NO_NODE: 'absent' },
      settle: () => Promise.resolve('repeat'),
    });
  }

  remove(path: string, version = -1): Promise<'removed' | 'absent' | 'changed'> {
    const deadlineMs = this.#deadlineMs();
    const { client } = this.#gate;
    return this.#change({
      ...{ path, data: null, deadlineMs },
      attempt: () => client.remove(path, version, deadlineMs),
      done: 'removed',
      answers: { NO_NODE: 'absent', BAD_VERSION: 'changed' },
      settle: async () => {
        const node = await this.exists(path, false, deadlineMs);
        if (node === null) return 'removed';
        if (version !== -1 && node.version !== version) return 'changed';
        // Another session may have put its node there after the removal; repeating would take that one away.
        return node.ephemeralOwner === '0x0' || node.ephemeralOwner === client.sessionId
          ? 'repeat'
          : 'unknown';
      },
    });
  }

  #deadlineMs(): number {
    return performance.now() + this.#gate.client.timeoutMs;
  }

  /** A question can be asked again on the next connection. */
  async #ask<T>(path: string, deadlineMs: number, attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.#gate.ready(path, deadlineMs);
      try {
        return await attempt();
      } catch (error) {
        if (!isLoss(error)) throw this.#toError(error, path);
      }
    }
  }

  /** Reads leave no watch on an absent node, so an existence watch is left in its place. */
  async #orAbsent<T>(
    path: string,
    watch: boolean,
    deadlineMs: number,
    attempt: () => Promise<T>,
  ): Promise<T | null> {
    for (;;) {
      const result = await this.#ask(path, deadlineMs, () =>
        attempt().catch((error: unknown) => {
          if (failureCode(error) === 'NO_NODE') return null;
          throw error;
        }),
      );
      if (result !== null || !watch || (await this.exists(path, true, deadlineMs)) === null) return result;
      // Created in between.
    }
  }

  async #change<Result>(change: Change<Result>): Promise<Result> {
    const { path, deadlineMs, data } = change;
    const sizeBytes = Buffer.byteLength(path) + (data?.length ?? 0);
    if (sizeBytes > MAX_BYTES) {
      const limit = `a node's path and data may have ${MAX_BYTES} bytes together, but these have ${sizeBytes}`;
      throw new ConnectorError('CONFIG_INVALID', `${path} cannot be written: ${limit}.`, { path });
    }
    for (;;) {
      await this.#gate.ready(path, deadlineMs);
      try {
        await change.attempt();
        return change.done;
      } catch (error) {
        const code = failureCode(error);
        const answer = code && change.answers[code];
        if (answer !== undefined) return answer;
        if (!isLoss(error)) throw this.#toError(error, path);
        if (code === 'NOT_CONNECTED') continue;
      }
      const outcome = await change.settle();
      if (outcome === 'unknown') {
        const message = `The connection to ZooKeeper was lost, so it is unknown whether ${path} was changed.`;
        throw new ConnectorError('ZOOKEEPER_UNREACHABLE', message, { path });
      }
      if (outcome !== 'repeat') return outcome;
    }
  }

  #toError(error: unknown, path: string): ConnectorError {
    return this.#gate.finalError(path) ?? requestError(error, path);
  }
}

function isLoss(error: unknown): boolean {
  const code = failureCode(error);
  return code === 'CONNECTION_LOSS' || code === 'NOT_CONNECTED' || code === 'SESSION_MOVED';
}
