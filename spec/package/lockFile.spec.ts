import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { ROOT } from './support/commands';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string }>>;
}

it('the lock file pins every package by its hash and names no registry', async () => {
  const text = await readFile(path.join(ROOT, 'package-lock.json'), 'utf8');
  const { packages } = JSON.parse(text) as LockFile;
  const installed = Object.entries(packages).filter(([name]) => name !== '');
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
  // Packages bundled in another one have no hash of their own; there are none of these here.
  expect(installed.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});
