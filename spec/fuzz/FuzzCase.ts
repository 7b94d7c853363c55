import { Chance } from '../support/mutating/mutation';
import {
  encodeAnswer,
  withRecords,
  type FetchAnswer,
  type SpecFetchVersion,
} from '../support/records/fetchAnswer';
import { readAnswer } from '../support/records/readAnswer';
import type { Sample } from '../support/records/sampleAnswers';
import { Unreadable } from '../support/records/SlowReader';
import { mendChecksums } from './mutations/entries';
import type { ByteMutation, FuzzMutation, Surroundings } from './mutations/mutation';
import { FUZZ_MUTATIONS } from './mutations/mutations';

/** How often the checksums are made right behind the mutations. */
const MENDED_SHARE = 0.8;
const MOST_TRIES = 40;

/** A spoilt answer, and how it is to be read. */
export interface FuzzCase {
  readonly number: number;
  readonly version: SpecFetchVersion;
  readonly body: Buffer;
  /** What was done to it. */
  readonly kinds: readonly string[];
  /** True if the checksums of all its entries are right. */
  readonly isMended: boolean;
  /** The answers that its bytes come from. */
  readonly samples: readonly Sample[];
  readonly isolationLevel: 'read_committed' | 'read_uncommitted';
  /** For what is still to be chosen. */
  readonly chance: Chance;
}

/** Mutations, each as often as its weight says. */
const DECK = FUZZ_MUTATIONS.flatMap((one) => new Array<FuzzMutation>(one.weight ?? 1).fill(one));

/** The start of the choices of one case, so that a case is the same alone and behind others. */
function chanceOf(seed: number, number: number): Chance {
  return new Chance(Math.imul(seed ^ 0x5bd1_e995, 0x85eb_ca6b) ^ Math.imul(number + 1, 0x9e37_79b1));
}

/** Each case is made from the seed and its number alone. */
export function makeCase(samples: readonly Sample[], seed: number, number: number): FuzzCase {
  const chance = chanceOf(seed, number);
  const sample = chance.of(samples);
  const other = chance.of(samples);
  const surroundings = { chance, otherRecords: recordsOf(other.answer, chance) };
  const kinds: string[] = [];
  let answer = sample.answer;
  let last: ByteMutation | null = null;
  const wanted = chance.of([1, 1, 1, 1, 1, 1, 2, 2, 3]);
  for (let tries = 0; kinds.length < wanted && tries < MOST_TRIES; tries += 1) {
    const mutation = chance.of(DECK);
    if ('ofBytes' in mutation) {
      if (last !== null) continue;
      last = mutation;
    } else {
      const spoilt = spoil(answer, mutation, surroundings);
      if (spoilt === null) continue;
      answer = spoilt;
    }
    kinds.push(mutation.kind);
  }
  const encoded = encodeAnswer(answer);
  const { version } = answer;
  const spoilt = last?.ofBytes(encoded, version, surroundings) ?? { body: encoded.body, version };
  const isMended = chance.isTrue(MENDED_SHARE) && mend(spoilt.version, spoilt.body);
  return {
    ...{ number, kinds, isMended, chance, ...spoilt, samples: [sample, other] },
    isolationLevel: chance.of(['read_committed', 'read_uncommitted']),
  };
}

function spoil(
  answer: FetchAnswer,
  mutation: Exclude<FuzzMutation, ByteMutation>,
  surroundings: Surroundings,
): FetchAnswer | null {
  if ('ofFields' in mutation) return mutation.ofFields(answer, surroundings);
  const all = answer.topics.flatMap(({ partitions }) => partitions);
  const those = all.filter(({ records }) => records !== null && records.length > 0);
  if (those.length === 0) return null;
  const one = surroundings.chance.of(those);
  const spoilt = one.records && mutation.ofRecords(one.records, surroundings);
  if (!spoilt) return null;
  return withRecords(answer, (records, partition) => (partition === one ? spoilt : records));
}

/** The records of one partition that has any. */
function recordsOf(answer: FetchAnswer, chance: Chance): Buffer {
  const all = answer.topics.flatMap(({ partitions }) => partitions.flatMap(({ records }) => records ?? []));
  return all.length === 0 ? Buffer.alloc(0) : chance.of(all);
}

/** Writes right checksums where the answer's layout says that there are some; false if it has none. */
function mend(version: SpecFetchVersion, body: Buffer): boolean {
  try {
    const { topics } = readAnswer(version, body);
    const all = topics.flatMap(({ partitions }) => partitions.flatMap(({ records }) => records ?? []));
    return all.map((records) => mendChecksums(records)).some((count) => count > 0);
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}
