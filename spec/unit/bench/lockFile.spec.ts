import { readFileSync } from 'node:fs';
import path from 'node:path';

interface LockFile {
  readonly packages: Readonly<Record<string, { readonly resolved?: string; readonly integrity?: string }>>;
}

it('the lock file of the bench pins every package by its hash and names no registry', () => {
  const file = path.resolve(__dirname, '../../../bench/package-lock.json');
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as LockFile;
  const installed = Object.entries(packages).filter(([name]) => name !== '');
  expect(installed.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'node_modules/kafkajs',
      'node_modules/kafka-node',
      'node_modules/kafkajs-snappy',
    ]),
  );
  expect(
    installed.filter(([, { resolved, integrity }]) => resolved !== undefined || integrity === undefined),
  ).toEqual([]);
});
