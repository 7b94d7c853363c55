import { withoutIndices } from '../../Comparison';
import type { Part } from '../definitions/PartReader';
import { sortedEntries } from './sortedEntries';

type Key = readonly [array: string, by: string];

/** Real brokers keep these in hash tables, which have an order of their own, and one that differs from release to release. */
const ORDERLESS: Readonly<Record<string, readonly Key[]>> = {
  Metadata: [
    ['brokers', 'nodeId'],
    ['topics', 'name'],
    ['topics[].partitions', 'partitionIndex'],
  ],
  Produce: [
    ['responses', 'name'],
    ['responses[].partitionResponses', 'index'],
  ],
  ListOffsets: [
    ['topics', 'name'],
    ['topics[].partitions', 'partitionIndex'],
  ],
  OffsetCommit: [
    ['topics', 'name'],
    ['topics[].partitions', 'partitionIndex'],
  ],
  OffsetFetch: [
    ['topics', 'name'],
    ['topics[].partitions', 'partitionIndex'],
    ['groups[].topics', 'name'],
    ['groups[].topics[].partitions', 'partitionIndex'],
  ],
  JoinGroup: [['members', 'metadata']],
  DescribeGroups: [['groups[].members', 'memberMetadata']],
  ListGroups: [['groups', 'groupId']],
};

/** Later brokers answer in the order in which they were asked, since that says which partition comes first. */
const FETCH_OF_OLD: readonly Key[] = [
  ['responses', 'topic'],
  ['responses[].partitions', 'partitionIndex'],
];

/** Only says that there was an order which was not compared. */
const ORDER: Part = { field: 'order (of a hash table)', bytes: Buffer.alloc(0), isInside: true };

/** The parts of an answer with the entries in an order that does not depend on who has answered. */
export function withoutOrder(api: string, format: number, parts: readonly Part[]): readonly Part[] {
  const keys = ORDERLESS[api] ?? (api === 'Fetch' && format === 0 ? FETCH_OF_OLD : []);
  const hasOrder = parts.some(({ field }) => keys.some(([array]) => isSecondOf(field, array)));
  if (!hasOrder) return parts;
  const sorted = keys.reduce<readonly Part[]>(
    (before, [array, by]) => sortedEntries(before, array, by),
    parts,
  );
  return [...sorted, ORDER];
}

function isSecondOf(field: string, array: string): boolean {
  return field.includes('[1].') && withoutIndices(field).startsWith(`${array}[].`);
}
