import type { Leadership, Partition } from './Partition';

const NO_LEADER = -1;

export interface ElectionRules {
  /** Brokers that are alive. */
  readonly live: ReadonlySet<number>;
  /** As in unclean.leader.election.enable: without a live in-sync replica another one leads. */
  readonly isUncleanAllowed: boolean;
}

/** Who leads a new partition: the first replica that is alive; null if none is. */
export function firstLeadership({ replicas }: Partition, live: ReadonlySet<number>): Leadership | null {
  const isr = replicas.filter((id) => live.has(id));
  const [leader] = isr;
  return leader === undefined ? null : { leader, leaderEpoch: 0, isr };
}

/** What becomes of a leadership while only these brokers are alive; the same object if nothing does. */
export function withoutDead(
  { replicas }: Partition,
  before: Leadership,
  { live, isUncleanAllowed }: ElectionRules,
): Leadership {
  const { isr, leader } = before;
  const liveIsr = isr.filter((id) => live.has(id));
  const leaderEpoch = before.leaderEpoch + 1;
  if (live.has(leader)) return liveIsr.length === isr.length ? before : { leader, leaderEpoch, isr: liveIsr };
  const liveReplicas = replicas.filter((id) => live.has(id));
  const heir = liveReplicas.find((id) => liveIsr.includes(id));
  if (heir !== undefined) return { leader: heir, leaderEpoch, isr: liveIsr };
  const [unclean] = liveReplicas;
  if (isUncleanAllowed && unclean !== undefined) return { leader: unclean, leaderEpoch, isr: [unclean] };
  if (leader === NO_LEADER) return before;
  // Where only an in-sync replica may lead, the last ones are kept in mind until one of them is back.
  return { leader: NO_LEADER, leaderEpoch, isr: isUncleanAllowed ? [] : isr };
}

/** With all live replicas in sync again, as they are here as soon as they run; the same object if nothing changes. */
export function withReturned(
  { replicas }: Partition,
  now: Leadership,
  live: ReadonlySet<number>,
): Leadership {
  if (now.leader === NO_LEADER) return now;
  const back = replicas.filter((id) => live.has(id) && !now.isr.includes(id));
  return back.length === 0 ? now : { ...now, isr: [...now.isr, ...back] };
}
