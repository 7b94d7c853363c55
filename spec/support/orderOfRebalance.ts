import type { RebalanceTrigger } from '../../lib';
import type { TracedGroup } from './TracedGroup';
import type { TracedMember } from './TracedMember';
import type { ZookeeperRecord } from './ZookeeperProxy';

export const STEPS = [
  'stop-fetchers',
  'commit',
  'release',
  'assign',
  'claim',
  'read-offsets',
  'start-fetchers',
] as const;

/** From the start of a rebalance to its end, in the numbers of the order. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The names, sorted by their numbers: compare it with the names as given. */
export function namesInOrder(at: Readonly<Record<string, number>>): string[] {
  return Object.entries(at)
    .sort(([, a], [, b]) => a - b)
    .map(([name]) => name);
}

/** The first rebalance, with all its attempts, that ends with exactly these partitions. */
export function rebalanceTo(
  member: TracedMember,
  partitions: readonly number[],
): (Span & { readonly trigger: RebalanceTrigger }) | undefined {
  let from = 0;
  let trigger: RebalanceTrigger = 'created';
  for (const one of member.events) {
    if (one.event === 'rebalance:started' && one.payload.attempt === 1) {
      from = one.at;
      trigger = one.payload.trigger;
    }
    if (one.event !== 'rebalance:finished' || !one.payload.changed) continue;
    const owned = one.payload.owned.map(({ partition }) => partition).sort((a, b) => a - b);
    if (owned.join(' ') === partitions.join(' ')) return { from, to: one.at, trigger };
  }
  return undefined;
}

/** Numbers of the steps that a member has told within a span. */
export function stepsIn(
  member: TracedMember,
  { from, to }: Span,
): { readonly step: string; readonly at: number }[] {
  return member
    .eventsOf('rebalance:step')
    .filter(({ at }) => at > from && at < to)
    .map(({ at, payload: { step } }) => ({ at, step }));
}

/** The steps of each attempt that has ended, and how it ended. */
export function attemptsOf(
  member: TracedMember,
): { readonly steps: readonly string[]; readonly end: 'success' | 'nothing' | 'failure' }[] {
  const attempts: ReturnType<typeof attemptsOf> = [];
  let steps: string[] = [];
  for (const { event, payload } of member.events) {
    if (event === 'rebalance:started') steps = [];
    else if (event === 'rebalance:step') steps.push(payload.step);
    else if (event === 'rebalance:failed') attempts.push({ steps, end: 'failure' });
    else if (event === 'rebalance:finished')
      attempts.push({ steps, end: payload.changed ? 'success' : 'nothing' });
  }
  return attempts;
}

/** What a member asked about one partition within a span. */
export class PartitionTrace {
  readonly #records: readonly ZookeeperRecord[];
  readonly #owner: string;
  readonly #offset: string;

  constructor(group: TracedGroup, member: TracedMember, partition: number, { from, to }: Span) {
    this.#records = member.zookeeper.records.filter(({ sentAt }) => sentAt > from && sentAt < to);
    this.#owner = group.owner(partition);
    this.#offset = group.offset(partition);
  }

  /** The only write of the position that succeeded. */
  get commit(): ZookeeperRecord {
    return this.#only(
      'commit',
      ({ op, path, error }) => (op === 'setData' || op === 'create') && path === this.#offset && error === 0,
    );
  }

  /**
   * The first request about giving up the owner node. Answers come in the order of the requests, so that the removal
   * alone, behind a look at the node, does not tell whether the answer to the commit was waited for.
   */
  get releaseBegin(): ZookeeperRecord {
    const first = this.#records.find(
      ({ op, path }) => (op === 'exists' || op === 'delete') && path === this.#owner,
    );
    return first ?? this.release;
  }

  /** The only removal of the owner node. */
  get release(): ZookeeperRecord {
    return this.#only('release', ({ op, path }) => op === 'delete' && path === this.#owner);
  }

  /** The last owner node that was made: attempts before may have made it too, and removed it for a conflict elsewhere. */
  get claim(): ZookeeperRecord {
    const claim = this.#records.findLast(
      ({ op, path, error }) => op === 'create' && path === this.#owner && error === 0,
    );
    if (claim === undefined) throw new Error(`There is no claim of ${this.#owner}`);
    return claim;
  }

  /** The only reading of the position. */
  get read(): ZookeeperRecord {
    return this.#only('read of the offset', ({ op, path }) => op === 'getData' && path === this.#offset);
  }

  #only(what: string, matches: (record: ZookeeperRecord) => boolean): ZookeeperRecord {
    const [found, ...more] = this.#records.filter(matches);
    if (found !== undefined && more.length === 0) return found;
    throw new Error(
      `Instead of one ${what} there are ${found === undefined ? 0 : 1 + more.length} for ${this.#owner}`,
    );
  }
}
