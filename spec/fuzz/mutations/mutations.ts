import { batchMutations } from './batchMutations';
import { answerMutations, blindRecordMutations } from './byteMutations';
import { compressedMutations, insideMutation, nestedMutation } from './compressedMutations';
import { headerMutations, messageMutations, rowMutations } from './entryMutations';
import { fieldMutations } from './fieldMutations';
import type { FuzzMutation, RecordMutation } from './mutation';

const recordMutations: readonly RecordMutation[] = [
  ...blindRecordMutations,
  ...rowMutations,
  ...headerMutations,
  ...messageMutations,
  ...batchMutations,
  ...compressedMutations,
  nestedMutation,
];

/** All that can go wrong with an answer. */
export const FUZZ_MUTATIONS: readonly FuzzMutation[] = [
  ...recordMutations,
  insideMutation(recordMutations),
  ...fieldMutations,
  ...answerMutations,
];
