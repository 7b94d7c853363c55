import { compareDeliveries, type Receiver, type Repetition } from '../../support/deliveries';
import { JvmMember } from '../../support/jvm/JvmMember';
import type { ProducedAt } from '../../support/produce/SteadyLoad';
import type { TopicUnderLoad } from './TopicUnderLoad';

/** What a group has not read, or more than once, and why. */
export class Accounts {
  readonly missing: readonly string[];
  /** Messages that were repeated without a reason of docs/delivery.md, with those who got them. */
  readonly unexplained: readonly string[];
  /** What it comes to, for whoever reads the outcome of the specs. */
  readonly summary: string;

  constructor(
    produced: readonly ProducedAt[],
    members: readonly Receiver[],
    topics: readonly TopicUnderLoad[],
    killed: ReadonlySet<string>,
  ) {
    const { missing, repeated } = compareDeliveries(produced, members);
    const jvms = new Set(
      members.filter((member) => member instanceof JvmMember).map(({ consumerId }) => consumerId),
    );
    const why = (repetition: Repetition): string | undefined =>
      topics.find(({ topic }) => topic === repetition.topic)?.history.explain(repetition, jvms, killed)?.kind;
    const reasons = repeated.map((repetition) => ({ ...repetition, why: why(repetition) }));
    const count = (kind: string): number => reasons.filter((one) => one.why === kind).length;
    this.missing = missing;
    this.unexplained = reasons
      .filter((one) => one.why === undefined)
      .map(({ topic, partition, offset, by }) => `${topic}/${partition}@${offset} to ${by.join(' and ')}`);
    this.summary =
      `${repeated.length} of ${produced.length} messages were repeated: ` +
      `${count('read before the claim')} by JVM members that read offsets before they claim, ` +
      `${count('not committed at a crash')} after kills`;
  }
}
