import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readProblem } from '../readProblem';
import { hiddenValue } from '../shownValue';
import { isPem } from './pem';
import { addFault, type SecurityInput } from './securityInput';

type LocationKey = 'ssl.truststore.location' | 'ssl.keystore.location';

/** What a file is by its first bytes. */
export type StoreKind = 'PEM' | 'PKCS12' | 'JKS' | 'DER' | 'unknown';

export interface StoreFile {
  /** For messages. */
  readonly path: string;
  readonly content: Buffer;
  readonly kind: StoreKind;
}

export const CONVERT_TRUST_STORE =
  'convert it with "keytool -list -rfc -keystore truststore.jks > truststore.pem", which reads PKCS12, too, ' +
  'or a PKCS12 file with "openssl pkcs12 -in truststore.p12 -nokeys -out truststore.pem"';

export const CONVERT_KEY_STORE =
  'convert it with "keytool -importkeystore -srckeystore client.jks -destkeystore client.p12 -deststoretype PKCS12" ' +
  'and set ssl.keystore.type to PKCS12';

export const KIND_TEXTS: Readonly<Record<StoreKind, string>> = {
  PEM: 'a PEM file',
  PKCS12: 'a PKCS12 file',
  JKS: 'a Java key store (JKS)',
  DER: 'a certificate or key in binary form (DER)',
  unknown: 'neither PEM nor PKCS12',
};

/** Reads the file that the property names; undefined if a fault was reported. */
export function readStoreFile(
  input: SecurityInput,
  name: LocationKey,
  expected: string,
): StoreFile | undefined {
  const location = input.valueOf(name);
  if (location === undefined) return undefined;
  if (isPem(location)) {
    // Not shown: it may be a key.
    const inline =
      name === 'ssl.truststore.location'
        ? 'ssl.truststore.certificates'
        : 'ssl.keystore.key and ssl.keystore.certificate.chain';
    addFault(input, name, `got PEM text (hidden), which belongs to ${inline}`, expected);
    return undefined;
  }
  const path = JSON.stringify(resolve(location));
  try {
    const content = readFileSync(location);
    return { path, content, kind: kindOf(content) };
  } catch (error) {
    if (isBase64(location)) {
      // Not shown, nor what the system says, which has the path in it: it may be a key that has lost its first line.
      addFault(
        input,
        name,
        `got ${hiddenValue(location)}, which is no path of a file that can be read`,
        expected,
      );
      return undefined;
    }
    addFault(input, name, `cannot read ${path}: ${readProblem(error)}`, expected);
    return undefined;
  }
}

/** Also true for a path, if it is that long and has nothing but letters, digits and slashes. */
function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/=\s]{80,}$/.test(text);
}

/** JKS and its relative JCEKS have numbers of their own; PKCS12 is a DER sequence that begins with its version, 3. */
function kindOf(content: Buffer): StoreKind {
  const magic = content.subarray(0, 4).toString('hex');
  if (magic === 'feedfeed' || magic === 'cececece') return 'JKS';
  if (content[0] === 0x30) {
    const lengthBytes = (content[1] ?? 0) > 0x80 ? (content[1] ?? 0) - 0x80 : 0;
    const begin = content.subarray(2 + lengthBytes, 5 + lengthBytes).toString('hex');
    return begin === '020103' ? 'PKCS12' : 'DER';
  }
  return isPem(content.toString('latin1')) ? 'PEM' : 'unknown';
}
