import type { EncodedAnswer, FetchAnswer, SpecFetchVersion } from '../../support/records/fetchAnswer';
import type { Chance } from '../../support/mutating/mutation';

/** What a mutation may use beside the thing that it spoils. */
export interface Surroundings {
  readonly chance: Chance;
  /** The records of a partition of another answer. */
  readonly otherRecords: Buffer;
}

/** Spoils the records of one partition, or the set inside a compressed one; null if they have nothing for it. */
export type ChangeRecords = (records: Buffer, surroundings: Surroundings) => Buffer | null;

/** Spoils one entry; null if it has nothing for it. */
export type ChangeEntry = (entry: Buffer, surroundings: Surroundings) => Buffer | null;

export interface RecordMutation {
  readonly kind: string;
  readonly weight?: number;
  readonly ofRecords: ChangeRecords;
}

/** Spoils fields of an answer that are then written in the right layout. */
export interface FieldMutation {
  readonly kind: string;
  readonly weight?: number;
  readonly ofFields: (answer: FetchAnswer, surroundings: Surroundings) => FetchAnswer | null;
}

/** Spoils the bytes of an answer. */
export interface ByteMutation {
  readonly kind: string;
  readonly weight?: number;
  readonly ofBytes: (
    encoded: EncodedAnswer,
    version: SpecFetchVersion,
    surroundings: Surroundings,
  ) => { readonly body: Buffer; readonly version: SpecFetchVersion } | null;
}

export type FuzzMutation = RecordMutation | FieldMutation | ByteMutation;

/** A copy, so that the samples stay as they are. */
export function changed(bytes: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  change(copy);
  return copy;
}

/** The bytes with some in the middle replaced. */
export function replaced(bytes: Buffer, from: number, to: number, by: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, from), by, bytes.subarray(to)]);
}
