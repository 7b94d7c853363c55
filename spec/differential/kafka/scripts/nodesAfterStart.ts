import type { Script } from '../script';
import { notePaths } from './nodes';

/** What brokers write when they start. */
export const nodesAfterStart: Script = {
  subject: 'Nodes after the start',
  run: (stage) => notePaths(stage, '/'),
};
