import { getCiphers } from 'node:tls';
import { excerpt } from '../../excerpt';
import { refuseText } from '../parseFault';

/** Reads a list of cipher suites under the names of Java or of OpenSSL; the result has those of OpenSSL. */
export function parseCipherSuites(text: string): readonly string[] {
  // OpenSSL takes names that it does not know without a word, as long as it knows one.
  const known = new Set(getCiphers());
  return text.split(',').map((part) => {
    const name = part.trim();
    if (name === '')
      refuseText('ssl.cipher.suites', 'a name is missing before, between or behind the commas');
    const suite = opensslName(name);
    if (!known.has(suite.toLowerCase())) {
      refuseText('ssl.cipher.suites', `${excerpt(name)} is no cipher suite that Node has`);
    }
    return suite;
  });
}

/** Those of TLS 1.3 belong to no other version, and no other ones to it. */
export function isOfTls13(suite: string): boolean {
  return suite.startsWith('TLS_');
}

/** `TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256` is `ECDHE-RSA-AES128-SHA256` there; in TLS 1.3 the names are the same. */
function opensslName(name: string): string {
  const match = /^TLS_([A-Z_]+)_WITH_(\w+)$/.exec(name.toUpperCase());
  if (!match) return name.toUpperCase();
  const [, keyExchange = '', cipher = ''] = match;
  const suite = cipher
    .replace(/_(128|256)/, '$1')
    .replace('_CBC', '')
    .replace(/^(CHACHA20_POLY1305)_SHA256$/, '$1');
  return (keyExchange === 'RSA' ? suite : `${keyExchange}_${suite}`).replaceAll('_', '-');
}
