import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { configurationMarkdown } from './configurationMarkdown';

/** `npm run docs`: writes what is made from the table of settings. */
writeFileSync(path.join(__dirname, '../../../docs/configuration.md'), configurationMarkdown());
