import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** In the order in which they run: what is quick and says most comes first. */
const PROJECTS = ['unit', 'package', 'integration', 'real', 'interop', 'differential', 'clients'];

const SPEC = path.resolve(__dirname, '..');

/** The spec files whose path below spec/ contains one of the patterns; all if there is no pattern. */
export async function specFiles(patterns: readonly string[]): Promise<string[]> {
  const wanted = patterns.map((pattern) => pattern.replace(/^(\.\/)?spec\//, ''));
  const perProject = await Promise.all(
    PROJECTS.map(async (project) => {
      const entries = await readdir(path.join(SPEC, project), { recursive: true }).catch(() => []);
      return entries
        .filter((entry) => entry.endsWith('.spec.ts'))
        .map((entry) => `${project}/${entry.split(path.sep).join('/')}`)
        .sort();
    }),
  );
  const all = perProject.flat();
  if (wanted.length === 0) return all;
  return all.filter((file) => wanted.some((pattern) => file.includes(pattern)));
}

/** `unit` of `unit/kafka/wire.spec.ts`. */
export function projectOf(file: string): string {
  return file.split('/')[0] ?? '';
}
