import { excerpt } from '../../excerpt';
import { refuseText } from '../parseFault';
import { parseJaasEntry } from './jaasEntry';

/** The login modules whose work this package does. */
export const PLAIN_LOGIN_MODULE = 'org.apache.kafka.common.security.plain.PlainLoginModule';
export const SCRAM_LOGIN_MODULE = 'org.apache.kafka.common.security.scram.ScramLoginModule';

export interface JaasConfig {
  readonly module: typeof PLAIN_LOGIN_MODULE | typeof SCRAM_LOGIN_MODULE;
  readonly username: string;
  readonly password: string;
  /** How many options there are that mean nothing here. */
  readonly others: number;
  /** What is there more than once. */
  readonly repeated: readonly ('username' | 'password')[];
}

/**
 * Reads the login of `sasl.jaas.config`. Reasons do not quote the text: with a wrong quote or blank any part of it may be
 * a part of the password.
 */
export function parseJaasConfig(text: string): JaasConfig {
  const { module, options, repeated } = parseJaasEntry(text);
  if (module !== PLAIN_LOGIN_MODULE && module !== SCRAM_LOGIN_MODULE) refuse(unknownModule(module));
  if (module === SCRAM_LOGIN_MODULE && options.get('tokenauth')?.toLowerCase() === 'true') {
    refuse('it asks for a login by delegation token (tokenauth), which is not supported');
  }
  const username = options.get('username') ?? '';
  const password = options.get('password') ?? '';
  if (username === '') refuse(options.has('username') ? 'its username is empty' : 'it has no username');
  if (password === '') refuse(options.has('password') ? 'its password is empty' : 'it has no password');
  if (`${username}${password}`.includes('\0')) {
    refuse('its username or password has the character U+0000, which a login cannot carry');
  }
  const others = [...options.keys()].filter((name) => name !== 'username' && name !== 'password');
  const logins = ['username', 'password'] as const;
  return {
    ...{ module, username, password, others: others.length },
    repeated: logins.filter((name) => repeated.has(name)),
  };
}

function unknownModule(module: string): string {
  // Anything else may be a password in the wrong place.
  const shown = /^[\w.$]+LoginModule$/.test(module) ? ` ${excerpt(module)}` : '';
  return `its login module${shown} is none of the two that are supported`;
}

function refuse(reason: string): never {
  refuseText('sasl.jaas.config', reason);
}
