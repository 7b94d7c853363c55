import { createContext, Script, type Context } from 'node:vm';

/** What is to be run in the context. */
interface Job {
  run: () => void;
}

/** Made at the first use: it costs a millisecond, and most regexes need none. */
let guarded: { readonly job: Job; readonly context: Context; readonly script: Script } | null = null;

/**
 * Runs `work` and interrupts it when it takes longer than this; also in the midst of matching a regex. Starting the
 * watch costs about 50 microseconds.
 *
 * @returns false if it was interrupted
 */
export function finishesWithin(limitMs: number, work: () => void): boolean {
  if (guarded === null) {
    const job: Job = { run: () => undefined };
    guarded = { job, context: createContext(job), script: new Script('run()') };
  }
  const { job, context, script } = guarded;
  job.run = work;
  try {
    script.runInContext(context, { timeout: Math.max(1, Math.ceil(limitMs)) });
    return true;
  } catch (error) {
    if (isTimeout(error)) return false;
    throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
