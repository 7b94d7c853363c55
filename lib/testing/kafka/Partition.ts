import type { PartitionState } from './KafkaState';
import type { PartitionLog } from './log/PartitionLog';

/** Who leads a partition and who has its data, as in its state node. */
export interface Leadership {
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly isr: readonly number[];
}

const NO_LEADER = -1;

/** A partition as the controller has decided on it. */
export class Partition implements PartitionState {
  readonly partition: number;
  readonly log: PartitionLog;
  #replicas: readonly number[];
  /** Null until the first leader was elected. */
  #leadership: Leadership | null = null;
  readonly #listeners = new Set<() => void>();
  #lastWriteMs = Date.now();

  constructor(partition: number, replicas: readonly number[], log: PartitionLog) {
    this.partition = partition;
    this.#replicas = replicas;
    this.log = log;
    log.onAppend(() => {
      this.#lastWriteMs = Date.now();
    });
  }

  get lastWriteMs(): number {
    return this.#lastWriteMs;
  }

  get leadership(): Leadership | null {
    return this.#leadership;
  }

  get leader(): number {
    return this.#leadership?.leader ?? NO_LEADER;
  }

  get leaderEpoch(): number {
    return this.#leadership?.leaderEpoch ?? 0;
  }

  get replicas(): readonly number[] {
    return this.#replicas;
  }

  set replicas(replicas: readonly number[]) {
    this.#replicas = replicas;
  }

  get isr(): readonly number[] {
    return this.#leadership?.isr ?? [];
  }

  decide(leadership: Leadership): void {
    const isSameLeader = leadership.leaderEpoch === this.#leadership?.leaderEpoch;
    this.#leadership = leadership;
    this.log.leaderEpoch = leadership.leaderEpoch;
    if (!isSameLeader) this.tell();
  }

  onLeaderChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Those who wait for the partition have to look again. */
  tell(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
