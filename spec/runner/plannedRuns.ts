import type { ClusterKind } from '../support/cluster/clusterKinds';
import type { Requirement } from './requirements';
import type { Selection } from './runJest';
import type { RunnerArguments } from './runnerArguments';
import { projectOf, specFiles } from './specFiles';

/** One jest process. */
export interface PlannedRun {
  readonly name: string;
  readonly selection: Selection;
  /** Added to the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly needs: Requirement;
}

const NEEDS_OF_PROJECTS: Readonly<Record<string, Requirement>> = { unit: 'node', package: 'node' };
const NEEDS_OF_FILES: Readonly<Record<string, Requirement>> = {
  'clients/kafkajs.spec.ts': 'node',
  'clients/kcat.spec.ts': 'kcat',
};

/** The unit specs in one process, then each other file in one of its own; what needs nothing but Node comes first. */
export async function plannedRuns({ patterns, clusters }: RunnerArguments): Promise<PlannedRun[]> {
  const files = await specFiles(patterns);
  const unit = files.filter((file) => projectOf(file) === 'unit');
  const runs: PlannedRun[] = [];
  if (unit.length > 0) {
    const selection = patterns.length === 0 ? { project: 'unit' } : { files: unit };
    runs.push({ ...{ name: 'unit', selection, env: {} }, needs: 'node' });
  }
  runs.push(...files.filter((file) => !unit.includes(file)).flatMap((file) => runsOf(file, clusters)));
  return [...runs.filter(({ needs }) => needs !== 'java'), ...runs.filter(({ needs }) => needs === 'java')];
}

function runsOf(file: string, clusters: readonly ClusterKind[]): PlannedRun[] {
  const selection = { files: [file] };
  const project = projectOf(file);
  if (project !== 'integration') {
    const needs = NEEDS_OF_FILES[file] ?? NEEDS_OF_PROJECTS[project] ?? 'java';
    return [{ ...{ name: file, selection, env: {} }, needs }];
  }
  return clusters.map((kind) => ({
    ...{ name: `${file} (${kind})`, selection, env: { CLUSTERS: kind } },
    needs: kind === 'real' ? 'java' : 'node',
  }));
}
