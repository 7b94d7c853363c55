import { HashOrder, javaHash } from '../tree/HashOrder';
import type { ZookeeperRelease } from '../ZookeeperRelease';
import type { AccessId } from './AccessEntry';

/** Buckets of the map in which the newer release keeps ids. */
const CAPACITY = 16;
const SEPARATOR = '\0';

/** Who the client of a connection has proved to be; its address is the first proof. */
export class AuthIds {
  readonly #release: ZookeeperRelease;
  readonly #ids = new Map<string, AccessId>();
  readonly #order = new HashOrder(CAPACITY, hashOfId);

  constructor(release: ZookeeperRelease, address: string) {
    this.#release = release;
    this.add({ scheme: 'ip', id: address });
  }

  add(id: AccessId): void {
    const key = `${id.scheme}${SEPARATOR}${id.id}`;
    if (this.#ids.has(key)) return;
    this.#ids.set(key, id);
    this.#order.add(key);
  }

  /** In the order of the real servers: the older one has a list, the newer one a hash map. */
  list(): readonly AccessId[] {
    if (this.#release === '3.4') return [...this.#ids.values()];
    return this.#order.values().flatMap((key) => this.#ids.get(key) ?? []);
  }
}

/** As the servers' records compute it from their fields. */
function hashOfId(key: string): number {
  const [scheme = '', id = ''] = key.split(SEPARATOR);
  return (Math.imul(Math.imul(17, 37) + javaHash(scheme), 37) + javaHash(id)) | 0;
}
