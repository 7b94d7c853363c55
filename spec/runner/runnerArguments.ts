import { parseArgs } from 'node:util';

import { CLUSTER_KINDS, type ClusterKind } from '../support/cluster/clusterKinds';

export interface RunnerArguments {
  /** Parts of paths below spec/; none for everything. */
  readonly patterns: readonly string[];
  /** Where the integration specs run, in this order. */
  readonly clusters: readonly ClusterKind[];
}

/** An argument that cannot be used; its message is for the user. */
export class UsageError extends Error {}

/** `[PATTERN...] [--clusters embedded|real|both]`; throws UsageError. */
export function readArguments(args: readonly string[]): RunnerArguments {
  const { positionals, values } = parse(args);
  if (values.clusters === 'both') return { patterns: positionals, clusters: CLUSTER_KINDS };
  const kind = CLUSTER_KINDS.find((known) => known === values.clusters);
  if (kind === undefined) {
    throw new UsageError(
      `--clusters must be one of ${CLUSTER_KINDS.join(', ')}, both, not "${values.clusters}"`,
    );
  }
  return { patterns: positionals, clusters: [kind] };
}

function parse(args: readonly string[]): { positionals: string[]; values: { clusters: string } } {
  try {
    return parseArgs({
      args: [...args],
      options: { clusters: { type: 'string', default: 'embedded' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
