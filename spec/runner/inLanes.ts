export type Task = () => Promise<void>;

/**
 * Runs the tasks of each lane one after the other, and the lanes beside each other. A lane that is through helps the one that has
 * most left, beginning at its end.
 */
export async function inLanes(lanes: readonly (readonly Task[])[]): Promise<void> {
  const queues = lanes.map((tasks) => [...tasks]);
  await Promise.all(
    queues.map(async (own) => {
      for (;;) {
        const task = own.shift() ?? longestOf(queues)?.pop();
        if (task === undefined) return;
        await task();
      }
    }),
  );
}

function longestOf(queues: readonly Task[][]): Task[] | undefined {
  return [...queues].sort((a, b) => b.length - a.length)[0];
}
