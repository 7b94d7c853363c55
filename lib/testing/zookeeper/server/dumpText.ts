import { performance } from 'node:perf_hooks';

import type { Session } from '../sessions/Session';
import { sessionIdText } from '../sessions/SessionIds';
import type { DataTree } from '../tree/DataTree';
import type { EnsembleServer } from './EnsembleServer';

/** The answer to `dump`: sessions by the time at which they expire, and their ephemeral nodes. */
export function dumpText({ database, conversations }: EnsembleServer): string {
  const isNewer = database.release === '3.8';
  const sets = sessionSets(database.sessions.all);
  const sessions = sets.reduce((count, [, ids]) => count + ids.length, 0);
  const connections = [...conversations].map(
    ({ connection, session }) =>
      `ip: /127.0.0.1:${connection.remotePort} sessionId: ${session?.idText ?? '0x0'}`,
  );
  const lines = [
    'SessionTracker dump:',
    `Session Sets (${sets.length})${isNewer ? `/(${sessions})` : ''}:`,
    ...sets.flatMap(([deadlineMs, ids]) => [
      `${ids.length} expire at ${dateText(deadlineMs)}:`,
      ...ids.map((id) => `\t${id}`),
    ]),
    'ephemeral nodes dump:',
    ...ephemeralLines(database.tree),
    ...(isNewer
      ? [
          'Connections dump:',
          `Connections Sets (1)/(${connections.length}):`,
          ...connections.map((one) => `\t${one}`),
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function sessionSets(
  sessions: readonly Session[],
): readonly (readonly [deadlineMs: number, ids: readonly string[]])[] {
  const sets = new Map<number, string[]>();
  for (const { deadlineMs, idText } of sessions) {
    // Those of the process itself do not expire.
    if (deadlineMs === Infinity) continue;
    sets.set(deadlineMs, [...(sets.get(deadlineMs) ?? []), idText]);
  }
  return [...sets].sort(([one], [other]) => one - other);
}

function ephemeralLines(tree: DataTree): readonly string[] {
  return [
    `Sessions with Ephemerals (${tree.ephemerals.size}):`,
    ...[...tree.ephemerals].flatMap(([owner, paths]) => [
      `${sessionIdText(owner)}:`,
      ...paths.values().map((path) => `\t${path}`),
    ]),
  ];
}

/** As Java writes it, such as "Mon Nov 30 11:56:14 UTC 2026". */
function dateText(deadlineMs: number): string {
  const date = new Date(Date.now() + deadlineMs - performance.now());
  const [day = '', number = '', month = '', year = '', time = ''] = date.toUTCString().split(/,? /);
  return `${day} ${month} ${number} ${time} UTC ${year}`;
}
