import { certificatesOf } from './certificates';
import { addFault, isRefused, type SecurityInput } from './securityInput';
import { CONVERT_TRUST_STORE, KIND_TEXTS, readStoreFile } from './storeFile';

const EXPECTED = 'a PEM file with certificates';

/** The certificates that are trusted, each a PEM text; undefined: those of Node, or a fault was reported. */
export function trustedCertificates(input: SecurityInput): readonly string[] | undefined {
  if (input.isGiven('ssl.truststore.password')) {
    input.warnings.push(
      'No effect of ssl.truststore.password: a trust store of the type PEM has no password.',
    );
  }
  const inline = input.valueOf('ssl.truststore.certificates');
  if (input.isGiven('ssl.truststore.certificates') && input.isGiven('ssl.truststore.location')) {
    addFault(input, 'ssl.truststore.certificates', 'ssl.truststore.location is given, too', 'one of the two');
    return undefined;
  }
  // Of a store of another type it is known already that it cannot be used.
  if (isRefused(input, 'ssl.truststore.type')) return undefined;
  return inline === undefined ? fromFile(input) : fromText(input, inline);
}

function fromText(input: SecurityInput, text: string): readonly string[] | undefined {
  const found = certificatesOf(text);
  if ('texts' in found) return found.texts;
  const wrong = `got a text of ${text.length} characters (hidden): ${found.wrong}`;
  addFault(input, 'ssl.truststore.certificates', wrong, 'PEM text with certificates');
  return undefined;
}

function fromFile(input: SecurityInput): readonly string[] | undefined {
  const file = readStoreFile(input, 'ssl.truststore.location', EXPECTED);
  if (!file) return undefined;
  const { path, content, kind } = file;
  if (kind === 'JKS' || kind === 'PKCS12') {
    const wrong = `${path} is ${KIND_TEXTS[kind]}, which Node cannot read as a trust store`;
    addFault(input, 'ssl.truststore.location', wrong, `${EXPECTED}; ${CONVERT_TRUST_STORE}`);
    return undefined;
  }
  if (kind === 'DER') {
    const wrong = `${path} is ${KIND_TEXTS.DER}`;
    addFault(
      input,
      'ssl.truststore.location',
      wrong,
      `${EXPECTED}; "openssl x509 -in ca.der -out ca.pem" makes one`,
    );
    return undefined;
  }
  const found = certificatesOf(content.toString('utf8'));
  if ('texts' in found) return found.texts;
  addFault(input, 'ssl.truststore.location', `${path} cannot be used: ${found.wrong}`, EXPECTED);
  return undefined;
}
