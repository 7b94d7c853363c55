import { ConnectorError } from '../errors';
import { keyOf } from '../fetch/PartitionTopicInfo';
import type { NextOffset, TopicPartition } from '../types';
import { inParallel } from '../zookeeper/inParallel';
import { decodeOffset, encodeOffset } from '../zookeeper/offsetText';
import type { GroupPaths } from '../zookeeper/paths';
import type { ZookeeperSession } from '../zookeeper/ZookeeperSession';
import type { OffsetStore } from './OffsetStore';

/** `/consumers/[group]/offsets/[topic]/[partition]`: persistent, the decimal offset of the next message. */
export class ZookeeperOffsetStore implements OffsetStore {
  readonly forgets = false;
  /** The session that holds the claim: an offset never travels on a later one. */
  readonly #session: ZookeeperSession;
  readonly #paths: GroupPaths;

  constructor(session: ZookeeperSession, paths: GroupPaths) {
    this.#session = session;
    this.#paths = paths;
  }

  async read(partitions: readonly TopicPartition[]): Promise<Map<string, number | null | ConnectorError>> {
    const entries = await inParallel(partitions, async (at) => {
      const path = this.#paths.offset(at.topic, at.partition);
      const node = await this.#session.read(path);
      return [keyOf(at), node === null ? null : positionIn(node.data, path)] as const;
    });
    return new Map(entries);
  }

  /** Nothing is tried again: the session has waited for its connection already. */
  async write(positions: readonly NextOffset[]): Promise<ReadonlyMap<string, ConnectorError>> {
    const errors = new Map<string, ConnectorError>();
    await inParallel(positions, async (at) => {
      try {
        await this.#write(at);
      } catch (error) {
        if (!ConnectorError.is(error)) throw error;
        errors.set(keyOf(at), error);
      }
    });
    return errors;
  }

  close(): void {
    // The session has another owner.
  }

  async #write({ topic, partition, nextOffset }: NextOffset): Promise<void> {
    const path = this.#paths.offset(topic, partition);
    if (!this.#session.isProved) {
      const text = `the session that owned ${topic}/${partition} is no longer proved alive: nothing is committed`;
      throw new ConnectorError('SESSION_LOST', text, { path, topic, partition });
    }
    const data = encodeOffset(nextOffset);
    if ((await this.#session.write(path, data)) === 'written') return;
    if ((await this.#session.createWithParents(path, data, 'persistent')) === 'created') return;
    await this.#session.write(path, data);
  }
}

/** Negative texts mean "none", as for the Scala connector. */
function positionIn(data: Buffer, path: string): number | null | ConnectorError {
  try {
    const offset = decodeOffset(data, path);
    return offset < 0 ? null : offset;
  } catch (error) {
    if (ConnectorError.is(error)) return error;
    throw error;
  }
}
