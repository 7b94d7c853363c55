import { Chance } from '../mutating/mutation';
import { CODECS } from './compress';
import { FETCH_VERSIONS, type FetchAnswer, type PartitionAnswer, type SpecFetchVersion } from './fetchAnswer';
import { SampleLog } from './SampleLog';

/** A right answer, to be spoilt. */
export interface Sample {
  readonly name: string;
  readonly answer: FetchAnswer;
}

/** Writes something into a log. */
type Recipe = readonly [name: string, write: (log: SampleLog, chance: Chance) => void];

const styles = [0, 1, 2, 3, 4];

const oldRecipes = (magic: 0 | 1): Recipe[] => [
  [`format ${magic}`, (log) => log.messages(magic)],
  ...CODECS.flatMap((codec): Recipe[] =>
    styles.map((style) => [
      `codec ${codec} (${style}) in format ${magic}`,
      (log) => log.wrapped(magic, codec, style),
    ]),
  ),
  ...CODECS.map((codec): Recipe => [
    `codec ${codec} in format ${magic}, more than once`,
    (log, chance) => log.wrapped(magic, codec, chance.below(4), 1 + chance.below(2)),
  ]),
  [
    `a set in format ${magic}, twice`,
    (log) => {
      log.wrapped(magic, 1, 0);
      log.again();
    },
  ],
];

const batchRecipes: readonly Recipe[] = [
  [
    'batches',
    (log) => {
      log.batch(0, 0);
      log.batch(0, 0);
    },
  ],
  ...CODECS.flatMap((codec): Recipe[] =>
    styles.map((style) => [`codec ${codec} (${style}) in a batch`, (log) => log.batch(codec, style)]),
  ),
  [
    'an emptied batch',
    (log) => {
      log.emptied();
      log.batch(0, 0);
    },
  ],
  ...[0, 0, 0, ...CODECS].map((codec): Recipe => [
    `transactions with codec ${codec}`,
    (log) => log.transactions(codec),
  ]),
  [
    'transactions one after the other',
    (log) => {
      log.transactions(0);
      log.transactions(0);
    },
  ],
];

const mixedRecipes: readonly Recipe[] = [
  ['format 0 inside format 1', (log) => log.wrapped(1, 1, 0, 0, 0)],
  ['format 1 inside format 0', (log) => log.wrapped(0, 1, 0, 0, 1)],
  [
    'all formats',
    (log) => {
      log.messages(0);
      log.wrapped(1, 1, 0);
      log.batch(0, 0);
      log.messages(1);
    },
  ],
];

/** What a broker of these versions may have; formats newer than a version knows are there, too, since nothing forbids them. */
function recipesOf(version: SpecFetchVersion): readonly Recipe[] {
  if (version < 2) return [...oldRecipes(0), ...mixedRecipes];
  if (version < 4) return [...oldRecipes(1), ...oldRecipes(0).slice(0, 4), ...mixedRecipes];
  return [...batchRecipes, ...oldRecipes(1).slice(0, 8), ...mixedRecipes];
}

function partitionOf(partition: number, chance: Chance, recipes: readonly Recipe[]): PartitionAnswer {
  const log = new SampleLog(chance);
  for (const [, write] of recipes) write(log, chance);
  if (chance.isTrue(0.15)) log.cutOff();
  const end = BigInt(log.nextOffset);
  return {
    ...{ partition, errorCode: 0, highWatermark: end, lastStableOffset: end, logStartOffset: 0n },
    aborted: log.aborted.length === 0 && chance.isTrue(0.5) ? null : log.aborted,
    records: log.records,
  };
}

/** A partition that has nothing: at its end, or with an error. */
function nothingOf(partition: number, chance: Chance): PartitionAnswer {
  const errorCode = chance.of([0, 1, 3, 6]);
  const end = errorCode === 0 ? 5n : -1n;
  return {
    ...{ partition, errorCode, highWatermark: end, lastStableOffset: end, logStartOffset: -1n },
    aborted: null,
    records: chance.of([null, Buffer.alloc(0)]),
  };
}

/** Right answers of each version, with each format and codec that it may have; the same with the same seed. */
export function sampleAnswers(seed: number): Sample[] {
  const chance = new Chance(seed);
  return FETCH_VERSIONS.flatMap((version) => {
    const all = recipesOf(version);
    return all.map((recipe): Sample => {
      const partitions = [partitionOf(0, chance, [recipe])];
      if (chance.isTrue(0.3)) partitions.push(partitionOf(3, chance, [chance.of(all)]));
      if (chance.isTrue(0.2)) partitions.push(nothingOf(2, chance));
      const topics = [{ topic: 'orders', partitions }];
      if (chance.isTrue(0.2)) {
        topics.push({ topic: 'paiements-é', partitions: [partitionOf(1, chance, [chance.of(all)])] });
      }
      return {
        name: `Fetch v${version}: ${recipe[0]}`,
        answer: { version, throttleMs: 0, errorCode: 0, sessionId: 0, topics },
      };
    });
  });
}
