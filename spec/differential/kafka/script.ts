import type { Stage } from './Stage';

/** Asks a cluster about one subject; it does the same in each cluster of a release. */
export interface Script {
  readonly subject: string;
  run(stage: Stage): Promise<void>;
}

/** Runs the scripts one after the other. */
export async function runScripts(stage: Stage, scripts: readonly Script[]): Promise<void> {
  for (const script of scripts) {
    stage.begin(script.subject);
    await script.run(stage);
  }
}
