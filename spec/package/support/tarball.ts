import path from 'node:path';

import { ROOT, run } from './commands';

export interface Tarball {
  readonly file: string;
  /** Paths in the package. */
  readonly contents: readonly string[];
}

/** What `npm publish` would upload, built anew. */
export async function pack(folder: string): Promise<Tarball> {
  const report = await run('npm', ['pack', '--json', '--pack-destination', folder], ROOT);
  // In front of it stands what the build printed.
  const packed: unknown = JSON.parse(report.slice(report.search(/^[[{]/m)));
  // npm 12 gives an object by package name, those before a list.
  const [entry] = Object.values(packed as Record<string, { filename: string; files: { path: string }[] }>);
  if (entry === undefined) throw new Error(`npm pack packed nothing: ${report}`);
  return {
    file: path.join(folder, entry.filename),
    contents: entry.files.map((file) => file.path),
  };
}
