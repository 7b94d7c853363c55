import { performance } from 'node:perf_hooks';

import { delay } from '../delay';
import { ConnectorError } from '../errors';
import { inParallel } from './inParallel';
import type { GroupPaths } from './paths';
import { decodeRegistration, encodeRegistration, type Registration, type Subscription } from './registration';
import type { ZookeeperSession } from './ZookeeperSession';

/** How often to look whether the node of an earlier session has gone. */
const ID_RETRY_MS = 200;

/** The members of the group: `/consumers/[group]/ids`. */
export class ConsumerRegistry {
  readonly #session: ZookeeperSession;
  readonly #paths: GroupPaths;
  readonly #consumerId: string;
  readonly #subscription: Subscription;

  constructor(session: ZookeeperSession, paths: GroupPaths, consumerId: string, subscription: Subscription) {
    this.#session = session;
    this.#paths = paths;
    this.#consumerId = consumerId;
    this.#subscription = subscription;
  }

  /**
   * Registers this member: one create with all its data, since an empty registration fails the rebalance of everyone.
   * After a crash the node of the session before lives for up to one session timeout: it waits as long for it to go.
   */
  async register(signal: AbortSignal): Promise<void> {
    const path = this.#paths.id(this.#consumerId);
    const untilMs = performance.now() + this.#session.timeoutMs + ID_RETRY_MS;
    while (!signal.aborted) {
      const data = encodeRegistration({ ...this.#subscription, timestampMs: Date.now() });
      if ((await this.#session.createWithParents(path, data, 'ephemeral')) === 'created') {
        this.#session.setProofPath(path);
        return;
      }
      const there = await this.#session.exists(path);
      if (there?.ephemeralOwner === this.#session.id) {
        this.#session.setProofPath(path);
        return;
      }
      if (performance.now() > untilMs) {
        throw new ConnectorError(
          'CONSUMER_ID_IN_USE',
          `${path} belongs to another session (${there?.ephemeralOwner ?? 'it changes all the time'}): each member of ` +
            'a group needs a consumer.id of its own; leave consumer.id out to have one generated',
          { path },
        );
      }
      await delay(ID_RETRY_MS, signal);
    }
    throw new ConnectorError('CONNECTOR_CLOSED', 'the connector was shut down while it registered', { path });
  }

  /** Everyone's registration, and a watch for the next change. A member that left in the meantime is left out. */
  async members(): Promise<Map<string, Registration>> {
    const ids = (await this.#session.children(this.#paths.ids, { watch: true })) ?? [];
    const registrations = await inParallel(ids, async (id) => {
      const path = this.#paths.id(id);
      const node = await this.#session.read(path);
      return node === null ? null : ([id, decodeRegistration(node.data, path)] as const);
    });
    return new Map(registrations.filter((entry) => entry !== null));
  }
}
