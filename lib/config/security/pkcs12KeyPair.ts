import { createSecureContext } from 'node:tls';
import { opensslReason } from './certificates';
import type { KeyPair } from './keyStore';
import { addFault, type SecurityInput } from './securityInput';
import { CONVERT_KEY_STORE, KIND_TEXTS, readStoreFile } from './storeFile';

const EXPECTED = 'a PKCS12 file with a private key and its certificate';

/** Key and certificate from a PKCS12 file; undefined if there is none, or a fault was reported. */
export function pkcs12KeyPair(input: SecurityInput): KeyPair | undefined {
  const file = readStoreFile(input, 'ssl.keystore.location', EXPECTED);
  const passphrase = input.valueOf('ssl.keystore.password');
  if (!file || passphrase === undefined) return undefined;
  const { path, content: pfx, kind } = file;
  if (kind !== 'PKCS12') {
    const right = {
      PEM: `${EXPECTED}, or PEM as ssl.keystore.type`,
      JKS: `${EXPECTED}; ${CONVERT_KEY_STORE}`,
    };
    const expected = kind === 'PEM' || kind === 'JKS' ? right[kind] : EXPECTED;
    addFault(input, 'ssl.keystore.location', `${path} is ${KIND_TEXTS[kind]}`, expected);
    return undefined;
  }
  const keyPassword = input.valueOf('ssl.key.password');
  if (keyPassword !== undefined && keyPassword !== passphrase) {
    input.warnings.push(
      'No effect of ssl.key.password: in a PKCS12 file the key has the password of the store.',
    );
  }
  try {
    // The list keeps Node from loading all the certificates that it brings: this is a trial only.
    createSecureContext({ pfx, passphrase, ca: [] });
    return { pfx, passphrase };
  } catch (error) {
    const reason = opensslReason(error);
    if (reason.includes('mac verify failure')) {
      addFault(
        input,
        'ssl.keystore.password',
        `does not open ${path} (${reason})`,
        'the password of that file',
      );
    } else {
      const wrong = `${path} cannot be used (${reason})`;
      addFault(input, 'ssl.keystore.location', wrong, `${EXPECTED}${conversion(reason)}`);
    }
    return undefined;
  }
}

/** Java before 8u301 and OpenSSL before 3 encrypt with what OpenSSL 3, and so Node, does not read any more. */
function conversion(reason: string): string {
  if (!/unsupported/i.test(reason)) return '';
  return (
    ' that is encrypted with AES: "openssl pkcs12 -legacy -in old.p12 -nodes -out key.pem", then ' +
    '"openssl pkcs12 -export -in key.pem -out new.p12", or the file key.pem with PEM as ssl.keystore.type'
  );
}
