import { shownValue } from './config/shownValue';
import { nearestName } from './unknownNames';
import { faultsOfNames, wrongArguments } from './wrongArguments';

/** Who consumes a partition. */
export interface PartitionOwner {
  /** The member's consumer id. */
  readonly consumer: string;
  /** `<consumer id>-<n>` */
  readonly threadId: string;
}

/**
 * Told of each rebalance (kafka.javaapi.consumer.ConsumerRebalanceListener, KAFKA-1891). The rebalance waits for both, for
 * `rebalance.drain.timeout.ms` at most each; then it goes on without them, since the other members wait, too. A throw fails
 * the attempt, as in Scala: the next one calls again.
 */
export interface ConsumerRebalanceListener {
  /**
   * Nothing is fetched any more, positions are committed if `auto.commit.enable`, and nobody else owns anything yet:
   * `commitOffsets` can still store positions of these partitions. Called in each rebalance that changes something; the first
   * time, and after a lost session, with nothing. It is not called by `shutdown()`.
   *
   * @param owned - topic to partitions
   */
  beforeReleasingPartitions?(owned: ReadonlyMap<string, ReadonlySet<number>>): void | Promise<void>;
  /**
   * The new partitions are claimed and their positions read, and nothing is fetched yet: `seek` can move them.
   *
   * @param consumerId - this member
   * @param all - topic to partition to owner, as assigned: with `range` those of this member's topics, with `roundrobin`
   * those of all topics of the group
   */
  beforeStartingFetchers?(
    consumerId: string,
    all: ReadonlyMap<string, ReadonlyMap<number, PartitionOwner>>,
  ): void | Promise<void>;
}

const NAMES = ['beforeReleasingPartitions', 'beforeStartingFetchers'] as const;

/** Refuses what would fail each rebalance, or would never be called. */
export function assertRebalanceListener(listener: ConsumerRebalanceListener): void {
  const given: unknown = listener;
  if (typeof given !== 'object' || given === null) {
    throw wrongArguments([`the rebalance listener must be an object, not ${shownValue(given)}`]);
  }
  const faults: string[] = [];
  const methods = given as Readonly<Record<string, unknown>>;
  for (const name of NAMES) {
    const method = methods[name];
    if (method === undefined || typeof method === 'function') continue;
    faults.push(`${name} of the rebalance listener must be a function, not ${shownValue(method)}`);
  }
  const hasNone = NAMES.every((name) => methods[name] === undefined);
  // It may have more of its own, but nothing that was meant to be one of them.
  const meant = Object.keys(methods).filter((name) => hasNone || nearestName(name, NAMES) !== undefined);
  const named = Object.fromEntries(meant.map((name) => [name, methods[name]]));
  faults.push(...faultsOfNames(named, NAMES, 'the methods of a rebalance listener'));
  if (hasNone && meant.length === 0) faults.push(`the rebalance listener has neither ${NAMES.join(' nor ')}`);
  if (faults.length > 0) throw wrongArguments(faults);
}
