import type { EnsembleServer } from './EnsembleServer';

/** The answer to `wchs`. Like the others it is about watches on data. */
export function watchSummary({ watches: { data } }: EnsembleServer): string {
  return `${data.watcherCount} connections watching ${data.pathCount} paths\nTotal watches:${data.watchCount}\n`;
}

/** The answer to `wchp`. */
export function watchesByPath({ watches }: EnsembleServer): string {
  const lines = [...watches.data.watchersByPath].flatMap(([path, watchers]) => [
    path,
    ...[...watchers].map(({ sessionIdText }) => `\t${sessionIdText}`),
  ]);
  return `${lines.map((line) => `${line}\n`).join('')}\n`;
}

/** The answer to `wchc`. */
export function watchesBySession({ watches }: EnsembleServer): string {
  const lines = [...watches.data.pathsByWatcher].flatMap(([{ sessionIdText }, paths]) => [
    sessionIdText,
    ...[...paths].map((path) => `\t${path}`),
  ]);
  return `${lines.map((line) => `${line}\n`).join('')}\n`;
}
