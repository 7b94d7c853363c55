import type { AbortedTransaction, FetchAnswer, PartitionAnswer } from '../../support/records/fetchAnswer';
import type { Chance } from '../../support/mutating/mutation';
import type { FieldMutation } from './mutation';
import { wrongInt64 } from './wrongNumbers';

/** One partition changed; null if there is none. */
function ofPartition(
  answer: FetchAnswer,
  chance: Chance,
  change: (one: PartitionAnswer) => PartitionAnswer | null,
): FetchAnswer | null {
  const places = answer.topics.flatMap(({ partitions }, topic) =>
    partitions.map((one, index) => ({ one, topic, index })),
  );
  if (places.length === 0) return null;
  const { one, topic, index } = chance.of(places);
  const spoilt = change(one);
  const before = answer.topics[topic];
  if (spoilt === null || before === undefined) return null;
  const partitions = before.partitions.with(index, spoilt);
  return { ...answer, topics: answer.topics.with(topic, { ...before, partitions }) };
}

function spoiltList(list: readonly AbortedTransaction[], chance: Chance): AbortedTransaction[] {
  const more = { producerId: BigInt(chance.of([7, 8, -1])), firstOffset: BigInt(chance.below(300)) };
  const at = chance.below(list.length + 1);
  const one = list[at];
  if (one === undefined) return [...list, more];
  return chance.of([
    () => list.toSpliced(at, 1),
    () => [...list, ...list].reverse(),
    () => list.with(at, { ...one, firstOffset: wrongInt64(one.firstOffset, chance) }),
    () => list.with(at, { ...one, producerId: wrongInt64(one.producerId, chance) }),
    () => [...list, more],
  ])();
}

/** Fields around the records go wrong. */
export const fieldMutations: readonly FieldMutation[] = [
  {
    kind: 'other aborted transactions',
    weight: 3,
    ofFields: (answer, { chance }) =>
      answer.version < 4
        ? null
        : ofPartition(answer, chance, (one) => ({ ...one, aborted: spoiltList(one.aborted ?? [], chance) })),
  },
  {
    kind: 'records of another partition',
    ofFields: (answer, { chance, otherRecords }) =>
      ofPartition(answer, chance, (one) => ({ ...one, records: otherRecords })),
  },
  {
    kind: 'a partition twice',
    ofFields: (answer, { chance }) => {
      const [topic] = answer.topics;
      if (topic === undefined || topic.partitions.length === 0) return null;
      const partitions = [...topic.partitions, chance.of(topic.partitions)];
      return { ...answer, topics: answer.topics.with(0, { ...topic, partitions }) };
    },
  },
];
