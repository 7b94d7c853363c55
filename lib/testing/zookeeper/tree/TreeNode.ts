import type { AccessEntry } from '../acl/AccessEntry';
import type { JuteWriter } from '../jute/JuteWriter';
import { HashOrder } from './HashOrder';

/** `ephemeralOwner` of container nodes inside the servers; clients are told 0. */
export const CONTAINER_OWNER = -(2n ** 63n);

/** The servers are sparing with the names of children. */
const CHILDREN_CAPACITY = 8;

/** What clients are told about a node. */
export interface NodeStat {
  readonly czxid: bigint;
  readonly mzxid: bigint;
  /** Milliseconds of the wall clock. */
  readonly ctimeMs: number;
  readonly mtimeMs: number;
  readonly version: number;
  readonly cversion: number;
  readonly aversion: number;
  readonly ephemeralOwner: bigint;
  readonly dataLength: number;
  readonly numChildren: number;
  readonly pzxid: bigint;
}

export interface NodeOrigin {
  readonly data: Buffer | null;
  readonly acl: readonly AccessEntry[];
  /** 0n for a persistent node. */
  readonly owner: bigint;
  readonly zxid: bigint;
  readonly timeMs: number;
}

/** A node of the tree. */
export class TreeNode {
  data: Buffer | null;
  acl: readonly AccessEntry[];
  version = 0;
  aversion = 0;
  /** Number of children that have ever been created; it numbers sequential nodes. */
  createdChildren = 0;
  mzxid: bigint;
  mtimeMs: number;
  pzxid: bigint;
  /** With CONTAINER_OWNER for containers. */
  readonly owner: bigint;
  readonly czxid: bigint;
  readonly ctimeMs: number;
  readonly #children = new HashOrder(CHILDREN_CAPACITY);

  constructor({ data, acl, owner, zxid, timeMs }: NodeOrigin) {
    this.data = data;
    this.acl = acl;
    this.owner = owner;
    this.czxid = this.mzxid = this.pzxid = zxid;
    this.ctimeMs = this.mtimeMs = timeMs;
  }

  get childCount(): number {
    return this.#children.size;
  }

  /** Names in the order of the real servers. */
  get children(): readonly string[] {
    return this.#children.values();
  }

  addChild(name: string): void {
    this.#children.add(name);
  }

  removeChild(name: string): void {
    this.#children.delete(name);
  }

  stat(): NodeStat {
    return {
      czxid: this.czxid,
      mzxid: this.mzxid,
      ctimeMs: this.ctimeMs,
      mtimeMs: this.mtimeMs,
      version: this.version,
      // Clients are told the number of changes: every child that is not there any more counts twice.
      cversion: this.createdChildren * 2 - this.childCount,
      aversion: this.aversion,
      ephemeralOwner: this.owner === CONTAINER_OWNER ? 0n : this.owner,
      dataLength: this.data?.length ?? 0,
      numChildren: this.childCount,
      pzxid: this.pzxid,
    };
  }
}

export function writeStat(stat: NodeStat, answer: JuteWriter): void {
  answer
    .int64(stat.czxid)
    .int64(stat.mzxid)
    .int64(BigInt(stat.ctimeMs))
    .int64(BigInt(stat.mtimeMs))
    .int32(stat.version)
    .int32(stat.cversion)
    .int32(stat.aversion)
    .int64(stat.ephemeralOwner)
    .int32(stat.dataLength)
    .int32(stat.numChildren)
    .int64(stat.pzxid);
}
