import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const LIB = path.resolve(__dirname, '../../../lib');

/** What the embedded servers may take of the client: nothing that reads or writes what goes over the wire but these. */
const SHARED = [
  // Backed by captured bytes of real brokers: spec/unit/kafka/compression, spec/unit/kafka/records.
  /^kafka\/compression\/\w+\.ts$/,
  /^kafka\/records\/crc\w+\.ts$/,
  /^kafka\/errorNames\.ts$/,
  // Texts for people.
  /^(unknownNames|wrongArguments|excerpt)\.ts$/,
  /^config\/shownValue\.ts$/,
];

/** Each import of a file of ours by another, by their paths in lib. */
function importsIn(folder: string): { from: string; to: string }[] {
  const files = readdirSync(path.join(LIB, folder), { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const from = path.join(folder, file);
      const text = readFileSync(path.join(LIB, from), 'utf8');
      return Array.from(text.matchAll(/from '(\.[^']+)'/g), ([, name = '']) => ({
        ...{ from, to: `${path.join(path.dirname(from), name)}.ts` },
      }));
    });
}

describe('the embedded servers', () => {
  const isServer = (file: string): boolean => file.startsWith('testing/');

  it('share no encoder with the client', () => {
    const outside = importsIn('testing').filter(({ to }) => !isServer(to));
    expect(outside.length).toBeGreaterThan(5);
    expect(outside.filter(({ to }) => !SHARED.some((pattern) => pattern.test(to)))).toEqual([]);
  });

  it('are not part of what applications load', () => {
    const inside = importsIn('.').filter(({ from, to }) => !isServer(from) && isServer(to));
    expect(inside).toEqual([]);
  });

  it('take nothing but Node and this package', () => {
    const files = readdirSync(path.join(LIB, 'testing'), { recursive: true, encoding: 'utf8' });
    const packages = files
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(path.join(LIB, 'testing', file), 'utf8');
        return Array.from(text.matchAll(/from '([^'.][^']*)'/g), ([, name = '']) => name);
      });
    expect(packages.length).toBeGreaterThan(10);
    expect(packages.filter((name) => !name.startsWith('node:'))).toEqual([]);
  });
});
