/** A partition as all brokers know it. */
export interface EmbeddedPartition {
  /** From 0. */
  readonly partition: number;
  /** Id of a broker; -1 while no replica runs. */
  readonly leader: number;
  /** Ids of brokers, the preferred leader first. */
  readonly replicas: readonly number[];
  /** Those of them that run and could lead. */
  readonly isr: readonly number[];
  /** Offset of the first message. */
  readonly startOffset: number;
  /** Offset of the next message that comes; the high watermark, too. */
  readonly endOffset: number;
}

/** A session of ZooKeeper. */
export interface EmbeddedSession {
  /** Such as "0x15c0ffee". */
  readonly id: string;
  /** Infinity for those of the brokers, which do not expire by themselves. */
  readonly timeoutMs: number;
  /** Paths of its ephemeral nodes. */
  readonly ephemerals: readonly string[];
  /** True for those of the brokers. */
  readonly isConnected: boolean;
}
