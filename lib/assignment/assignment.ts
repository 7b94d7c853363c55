/** One topic with its partitions and all the group's threads that want it; both in any order. */
export interface TopicToAssign {
  readonly topic: string;
  readonly partitions: readonly number[];
  readonly threads: readonly string[];
}

/** Topic to partition to the id of the thread that gets it. */
export type Assignment = Map<string, Map<number, string>>;
