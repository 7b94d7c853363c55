import type { SecureContextOptions } from 'node:tls';
import { pemKeyPair } from './pemKeyPair';
import { pkcs12KeyPair } from './pkcs12KeyPair';
import { addFault, isRefused, type SecurityInput, type SecurityKey } from './securityInput';

/** The own key and certificate as Node takes them. */
export type KeyPair = Pick<SecureContextOptions, 'cert' | 'key' | 'passphrase' | 'pfx'>;

/** What this client proves itself with; undefined: nothing, or a fault was reported. */
export function keyPair(input: SecurityInput): KeyPair | undefined {
  // Of a store of another type it is known already that it cannot be used.
  if (isRefused(input, 'ssl.keystore.type')) return undefined;
  const type = input.valueOf('ssl.keystore.type');
  const before = input.faults.length;
  checkCombination(input, type);
  if (input.faults.length > before) return undefined;
  return type === 'PKCS12' ? pkcs12KeyPair(input) : pemKeyPair(input);
}

/** What goes with what is as in the Kafka clients, which refuse the rest, too. */
function checkCombination(input: SecurityInput, type: string | undefined): void {
  const has = (name: SecurityKey): boolean => input.isGiven(name);
  const location = has('ssl.keystore.location');
  const inline = (['ssl.keystore.key', 'ssl.keystore.certificate.chain'] as const).filter(has);
  if (location && inline.length > 0) {
    addFault(
      input,
      'ssl.keystore.location',
      `${inline.join(' and ')} given, too`,
      'a file or PEM text, not both',
    );
  } else if (type === 'PKCS12' && inline.length > 0) {
    addFault(
      input,
      'ssl.keystore.type',
      `${inline.join(' and ')} given with PKCS12`,
      'the type PEM for these',
    );
  } else if (inline.length === 1) {
    const missing = inline[0] === 'ssl.keystore.key' ? 'ssl.keystore.certificate.chain' : 'ssl.keystore.key';
    addFault(
      input,
      missing,
      `is missing${input.hintFor(missing)}, but ${inline[0]} is there`,
      'both or none',
    );
  }
  if (type === 'PKCS12' && location && !has('ssl.keystore.password')) {
    const wrong = `is missing${input.hintFor('ssl.keystore.password')}`;
    addFault(
      input,
      'ssl.keystore.password',
      wrong,
      'the password of the PKCS12 file in ssl.keystore.location',
    );
  } else if (has('ssl.keystore.password') && !location && inline.length === 0) {
    addFault(input, 'ssl.keystore.password', 'is given without ssl.keystore.location', 'both or none');
  } else if (has('ssl.keystore.password') && type === 'PEM') {
    addFault(
      input,
      'ssl.keystore.password',
      'is given with a key store of the type PEM, which has none',
      'the password of the key in ssl.key.password, or the type PKCS12',
    );
  }
  if (has('ssl.key.password') && !location && inline.length === 0) {
    input.warnings.push('No effect of ssl.key.password: there is no key.');
  }
}
