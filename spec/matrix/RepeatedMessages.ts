import type { TopicPartition } from '../../lib';
import type { RealCluster } from '../support/cluster/RealCluster';
import { compareDeliveries, type Receiver, type Repetition } from '../support/deliveries';
import { GroupHistory } from '../support/GroupHistory';
import { fault } from './fault';
import type { RepeatedResult } from './results';

/** Why messages may have been repeated. */
export interface Allowance {
  readonly reason: keyof RepeatedResult;
  /** Consumer id of the member that was killed or has lost its session, or of the one of the JVM. */
  readonly member: string;
}

const NOBODY: ReadonlySet<string> = new Set();

/** What a group has repeated, step by step, and whether docs/delivery.md has a reason for it. */
export class RepeatedMessages implements AsyncDisposable {
  /** Who stored and claimed what, and when. */
  readonly #history: GroupHistory;
  /** How often each repeated message had been handed out at the last look. */
  readonly #knownTimes = new Map<string, number>();
  /** What was repeated without a reason, and to whom. */
  readonly #unexplained: string[] = [];
  /** Messages by reason. */
  readonly #counts = { sessionLost: 0, memberKilled: 0, jvmMember: 0 };

  /** The topics have to be there; nobody may have joined yet. */
  constructor(cluster: RealCluster, group: string, partitions: readonly TopicPartition[]) {
    this.#history = new GroupHistory(cluster, group, partitions);
  }

  get counts(): RepeatedResult {
    return { ...this.#counts };
  }

  get errors(): string[] {
    return fault('repeated without a reason', this.#unexplained);
  }

  /** Looks at what was repeated since the last look: nothing without an allowance, else only what that explains. */
  count(members: readonly Receiver[], allowance: Allowance | null): void {
    for (const repetition of compareDeliveries([], members).repeated) {
      const { topic, partition, offset, by } = repetition;
      const name = `${topic}/${partition}@${offset}`;
      if (this.#knownTimes.get(name) === by.length) continue;
      this.#knownTimes.set(name, by.length);
      if (allowance !== null && this.#isExplained(repetition, allowance)) this.#counts[allowance.reason] += 1;
      else this.#unexplained.push(`${name} to ${by.join(' and ')}`);
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#history.stop();
  }

  #isExplained(repetition: Repetition, { reason, member }: Allowance): boolean {
    const named = new Set([member]);
    const [jvms, lost] = reason === 'jvmMember' ? [named, NOBODY] : [NOBODY, named];
    return this.#history.explain(repetition, jvms, lost) !== null;
  }
}
