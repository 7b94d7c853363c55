import type { Script } from '../Stage';
import { acls } from './acls';
import { connecting } from './connecting';
import { creating } from './creating';
import { deleting } from './deleting';
import { expiry } from './expiry';
import { newerNodes } from './newerNodes';
import { newerOddRequests } from './newerOddRequests';
import { newerWatches } from './newerWatches';
import { oddRequests } from './oddRequests';
import { randomScript } from './random';
import { reading } from './reading';
import { rewatching } from './rewatching';
import { sessions } from './sessions';
import { together } from './together';
import { transactions } from './transactions';
import { watches } from './watches';

/** Any number; the same one draws the same requests. */
export const SEED = 20_260;

/** @param knowsNewer - with the requests that 3.4 does not know */
export function allScripts(knowsNewer: boolean): readonly Script[] {
  return [
    creating,
    deleting,
    reading,
    together,
    acls,
    transactions,
    watches,
    rewatching,
    sessions,
    expiry,
    connecting,
    oddRequests,
    ...(knowsNewer ? [newerNodes, newerOddRequests, newerWatches] : []),
    randomScript(SEED, knowsNewer),
  ];
}
