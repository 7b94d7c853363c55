import { randomOf } from '../../support/randomOf';
import {
  addWatch,
  checkWatches,
  create2,
  createContainer,
  getAllChildrenNumber,
  getEphemerals,
  multiRead,
  removeWatches,
  setWatches2,
} from './newerRequests';
import {
  check,
  create,
  exists,
  getAcl,
  getChildren,
  getChildren2,
  getData,
  multi,
  OPEN,
  ping,
  remove,
  setAcl,
  setData,
  setWatches,
  sync,
  type Acl,
  type ZookeeperRequest,
} from './requests';

const ROOT = '/random';
const NAMES = ['a', 'b', 'c', 'Aa', 'BB'];
const world = (permissions: number): readonly Acl[] => [{ permissions, scheme: 'world', id: 'anyone' }];
/** Mostly open; some without reading, writing, or children. */
const SOME_ACLS = [OPEN, OPEN, OPEN, world(1), world(19), world(30)];

/** Draws requests for a small tree, so that most of them meet nodes and watches of earlier ones. */
export class RandomRequests {
  readonly #random: () => number;
  readonly #knowsNewer: boolean;
  /** Each as often as it is likely. */
  readonly #kinds: readonly (() => ZookeeperRequest)[];
  readonly #operations: readonly (() => ZookeeperRequest)[] = [
    () => create(this.#path(), this.#data(), this.#createOptions()),
    () => create(this.#path(), this.#data()),
    () => remove(this.#path(), this.#version()),
    () => setData(this.#path(), this.#data(), this.#version()),
    () => check(this.#path(), this.#version()),
  ];

  /** @param knowsNewer - whether requests of 3.8 are drawn, too */
  constructor(seed: number, knowsNewer: boolean) {
    this.#random = randomOf(seed);
    this.#knowsNewer = knowsNewer;
    const reads = [
      () => exists(this.#path(), this.chance(0.4)),
      () => getData(this.#path(), this.chance(0.4)),
      () => getChildren(this.#path(), this.chance(0.4)),
      () => getChildren2(this.#path(), this.chance(0.2)),
    ];
    const [createAny, createOpen, removeAny, setAny] = this.#operations;
    const writes = [createAny, createOpen, removeAny, setAny].filter((write) => write !== undefined);
    const rare = [
      () => getAcl(this.#path()),
      () => sync(this.#path()),
      () => ping(),
      () => multi(this.#several(2, () => this.one(this.#operations)())),
      () => multi(this.#several(4, () => this.one(this.#operations)())),
    ];
    const newer = [
      () => create2(this.#path(), this.#data(), this.#createOptions()),
      () => createContainer(this.#path()),
      () => getAllChildrenNumber(this.#path()),
      () => getEphemerals(this.#path()),
      () => addWatch(this.#path(), this.number(2)),
      () => removeWatches(this.#path(), 1 + this.number(3)),
      () => checkWatches(this.#path(), 1 + this.number(3)),
      () => multiRead([getData(this.#path()), getChildren(this.#path(), this.chance(0.4))]),
    ];
    this.#kinds = [...reads, ...reads, ...writes, ...writes, ...rare, ...(knowsNewer ? newer : [])];
  }

  next(): ZookeeperRequest {
    return this.chance(0.03) ? this.#setAcl() : this.one(this.#kinds)();
  }

  /**
   * Requests for one go. Real servers check a request by the old ACL as long as the change in front of it is not
   * written; so there is none.
   */
  nextTogether(most: number): readonly ZookeeperRequest[] {
    return this.#several(most, () => this.one(this.#kinds)());
  }

  /** What a client asks that comes back. */
  setWatches(zxid: bigint): ZookeeperRequest {
    const paths = (): string[] => this.#several(3, () => this.#path());
    const watches = { data: paths(), exist: paths(), child: paths() };
    if (!this.#knowsNewer) return setWatches(zxid, watches);
    return setWatches2(zxid, { ...watches, persistent: paths(), recursive: paths() });
  }

  /** From 0 up to, but without, the limit. */
  number(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  one<T>(items: readonly T[]): T {
    const item = items[this.number(items.length)];
    if (item === undefined) throw new Error('there is nothing to choose from');
    return item;
  }

  #setAcl(): ZookeeperRequest {
    return setAcl(this.#path(), this.one(SOME_ACLS), this.#version());
  }

  /** From one to so many. */
  #several<T>(most: number, make: () => T): T[] {
    return Array.from({ length: 1 + this.number(most) }, make);
  }

  #path(): string {
    return [ROOT, ...Array.from({ length: this.number(4) }, () => this.one(NAMES))].join('/');
  }

  #data(): string {
    return 'x'.repeat(this.number(4));
  }

  #version(): number {
    return this.one([-1, -1, -1, 0, 1, 2]);
  }

  #createOptions(): { readonly flags: number; readonly acl: readonly Acl[] } {
    return { flags: this.one([0, 0, 1, 1, 2, 3]), acl: this.one(SOME_ACLS) };
  }
}
