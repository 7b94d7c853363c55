import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConnectorConfig } from '../../../lib/config/ConnectorConfig';
import { CONFIG_TABLE } from '../../../lib/config/configTable';
import type { Setting } from '../../../lib/config/settingTypes';
import { defaultText, rangeText } from '../../../lib/config/settingText';

type Table = typeof CONFIG_TABLE;
type GivenValue<S> = S extends { type: 'int' }
  ? number | string
  : S extends { type: 'boolean' }
    ? boolean | 'true' | 'false'
    : S extends { choices: readonly (infer C)[] }
      ? C
      : string;
type RequiredKey = { [K in keyof Table]: Table[K] extends { default: 'required' } ? K : never }[keyof Table];
type FromTable = { readonly [K in RequiredKey]: GivenValue<Table[K]> } & {
  readonly [K in Exclude<keyof Table, RequiredKey>]?: GivenValue<Table[K]>;
};
type Same<A, B> = [A, B] extends [B, A] ? true : false;

/** The type check fails when interface and table differ, in what is required or in a type. */
const isSame: [Same<ConnectorConfig, FromTable>, Same<Required<ConnectorConfig>, Required<FromTable>>] = [
  true,
  true,
];

/** The comment of each property, without its decoration. */
function commentsOf(file: string): Map<string, string> {
  const source = readFileSync(file, 'utf8');
  const found = source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*readonly '([^']+)'/g);
  return new Map(
    Array.from(found, ([, comment = '', name = '']) => [name, words(comment.replaceAll('*', ' '))]),
  );
}

const words = (text: string): string => text.trim().replace(/\s+/g, ' ');

describe('ConnectorConfig', () => {
  const comments = commentsOf(join(__dirname, '../../../lib/config/ConnectorConfig.ts'));

  it('has the properties of the table and no others, with their types', () => {
    expect(isSame).toEqual([true, true]);
    expect([...comments.keys()]).toEqual(Object.keys(CONFIG_TABLE));
  });

  it.each(Object.entries<Setting>(CONFIG_TABLE))('says about %s what the table says', (name, setting) => {
    expect(comments.get(name)).toBe(
      words(
        `${setting.doc} Allowed: ${rangeText(setting)}. Default: ${defaultText(setting)}. Source: ${setting.source}.`,
      ),
    );
  });
});
