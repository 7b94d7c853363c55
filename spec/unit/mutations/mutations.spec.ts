import { readFileSync } from 'node:fs';
import path from 'node:path';

import { edited, timesIn } from '../../mutations/mutation';
import { MUTATIONS } from '../../mutations/mutations';
import { mutationsMarkdown } from '../../mutations/mutationsMarkdown';
import { testNamesIn } from '../../support/docs/testNames';

const ROOT = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

/** The titles in a spec file; "%s" stands for anything. */
function titlesIn(text: string): RegExp[] {
  return testNamesIn(text).map((title) => {
    const parts = title.split('%s').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`(^| )${parts.join('.*')}$`);
  });
}

describe('docs/mutations.md', () => {
  it('is what the list of mutations makes of it (npx tsx spec/mutations/writeMarkdown.ts)', () => {
    expect(read('docs/mutations.md')).toBe(mutationsMarkdown());
  });
});

describe('the list of mutations', () => {
  it('has each fault once', () => {
    const faults = MUTATIONS.map(({ fault }) => fault);
    expect(faults).toEqual([...new Set(faults)]);
  });

  it.each(MUTATIONS)('replaces what stands exactly once in the code: $fault', ({ edits }) => {
    const texts = new Map<string, string>();
    for (const edit of edits) {
      const text = texts.get(edit.file) ?? read(edit.file);
      expect({ ...edit, times: timesIn(text, edit.find) }).toEqual({ ...edit, times: 1 });
      texts.set(edit.file, edited(text, edit));
    }
    for (const [file, text] of texts) expect(text).not.toBe(read(file));
  });

  it.each(MUTATIONS)('names a spec that is there: $fault', ({ spec: { file, test } }) => {
    expect(titlesIn(read(`spec/${file}`)).some((title) => title.test(test))).toBe(true);
  });

  it('refuses a text that is missing or stands twice', () => {
    const edit = { file: 'a.ts', find: 'x', replace: '$&' };
    expect(edited('axb', edit)).toBe('a$&b');
    expect(() => edited('ab', edit)).toThrow('0 times');
    expect(() => edited('xx', edit)).toThrow('2 times');
  });
});
