import { ASSIGNMENT_MUTATIONS } from './assignmentMutations';
import { CONSUMPTION_MUTATIONS } from './consumptionMutations';
import type { Mutation } from './mutation';
import { OWNERSHIP_MUTATIONS } from './ownershipMutations';
import { REBALANCE_MUTATIONS } from './rebalanceMutations';

/** Faults in the order of a rebalance and in the ownership of partitions, each with the spec that notices it. */
export const MUTATIONS: readonly Mutation[] = [
  ...REBALANCE_MUTATIONS,
  ...CONSUMPTION_MUTATIONS,
  ...OWNERSHIP_MUTATIONS,
  ...ASSIGNMENT_MUTATIONS,
];
