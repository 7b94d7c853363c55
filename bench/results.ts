import type { Cell } from './cells';
import type { ClientName } from './clientTable';
import type { Run } from './figures';
import type { MachineFacts } from './machine';

/** All runs of one client in one cell. */
export interface ClientResult {
  readonly client: ClientName;
  readonly messages: number;
  /** One a round; empty if it does not know the codec. */
  readonly runs: readonly Run[];
}

export interface CellResult extends Cell {
  readonly clients: readonly ClientResult[];
}

/** What is written to results/. */
export interface BenchResults {
  readonly date: string;
  readonly commit: string;
  readonly command: string;
  readonly rounds: number;
  readonly tookMinutes: number;
  readonly machine: MachineFacts;
  readonly cells: readonly CellResult[];
}

export function runsOf(cell: CellResult, client: ClientName): readonly Run[] | undefined {
  return cell.clients.find((result) => result.client === client)?.runs;
}
