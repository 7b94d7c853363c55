import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_TABLE } from '../../../lib/config/configTable';
import { configurationMarkdown } from '../../support/docs/configurationMarkdown';

describe('docs/configuration.md', () => {
  it('is what the table of settings makes of it', () => {
    const file = readFileSync(join(__dirname, '../../../docs/configuration.md'), 'utf8');
    expect(file).toBe(configurationMarkdown());
  });

  it.each(Object.keys(CONFIG_TABLE))('has a section for %s', (name) => {
    expect(configurationMarkdown()).toContain(`\n### \`${name}\`\n`);
  });
});
