import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { mutationsMarkdown } from './mutationsMarkdown';

writeFileSync(path.resolve(__dirname, '../../docs/mutations.md'), mutationsMarkdown());
