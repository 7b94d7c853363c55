import type { Credentials } from '../zookeeper/sessionTypes';
import { refuseText } from './parseFault';

/** Reads `digest:user:password`. No part of the text is shown: a forgotten scheme would be the user's name. */
export function parseZookeeperAuth(text: string): Credentials {
  const [scheme, user, ...password] = text.split(':');
  if (text === '') refuse('it is empty');
  if (/[\r\n]/.test(text))
    refuse('there is an end of a line in it, as there is in what was read from a file');
  if (scheme !== 'digest') refuse('it does not start with "digest:", the only scheme that is supported');
  if (user === undefined || password.length === 0) refuse('it is not three parts with colons between them');
  if (user === '') refuse('it has no user');
  if (password.join(':') === '') refuse('it has no password');
  return { scheme: 'digest', auth: Buffer.from(text.slice('digest:'.length), 'utf8') };
}

function refuse(reason: string): never {
  refuseText('zookeeper.auth', reason);
}
