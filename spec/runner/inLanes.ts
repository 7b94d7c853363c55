export type Task = () => Promise<void>;

/** Runs the tasks of each lane one after the other, and the lanes beside each other. */
export async function inLanes(lanes: readonly (readonly Task[])[]): Promise<void> {
  await Promise.all(
    lanes.map(async (tasks) => {
      for (const task of tasks) await task();
    }),
  );
}
