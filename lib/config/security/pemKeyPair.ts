import { createPrivateKey, type KeyObject } from 'node:crypto';
import { certificatesOf, opensslReason, whyNone } from './certificates';
import type { KeyPair } from './keyStore';
import { pemParts } from './pem';
import { addFault, isRefused, type SecurityInput, type SecurityKey } from './securityInput';
import { CONVERT_KEY_STORE, KIND_TEXTS, readStoreFile } from './storeFile';

const EXPECTED_FILE = 'a PEM file with one private key and its certificate';

/** A PEM text, and how messages speak of it. */
interface Source {
  readonly name: SecurityKey;
  readonly text: string;
  /** The beginning of what is said about it. */
  readonly subject: string;
  readonly expected: string;
}

/** Key and certificate from PEM, in one file or in two texts; undefined if there are none, or a fault was reported. */
export function pemKeyPair(input: SecurityInput): KeyPair | undefined {
  const sources = input.isGiven('ssl.keystore.location') ? sourcesInFile(input) : sourcesInText(input);
  if (!sources) return undefined;
  const key = privateKey(input, sources.key);
  const found = certificatesOf(sources.chain.text);
  if ('wrong' in found) {
    addSourceFault(input, sources.chain, found.wrong);
    return undefined;
  }
  if (!key) return undefined;
  const fitting = found.certificates.findIndex((certificate) => certificate.checkPrivateKey(key));
  if (fitting !== 0) {
    const what = fitting === -1 ? 'no certificate in it is' : 'not the first certificate in it is';
    addSourceFault(input, sources.chain, `${what} that of the private key`);
    return undefined;
  }
  return {
    cert: found.texts.join(''),
    // Without its password, which has done its work.
    key: key.export({ type: 'pkcs8', format: 'pem' }),
  };
}

function sourcesInFile(input: SecurityInput): Record<'key' | 'chain', Source> | undefined {
  const name = 'ssl.keystore.location';
  const file = readStoreFile(input, name, EXPECTED_FILE);
  if (!file) return undefined;
  const { path, content, kind } = file;
  if (kind === 'PEM') {
    const text = content.toString('utf8');
    const source = { name, text, subject: `${path} cannot be used`, expected: EXPECTED_FILE } as const;
    return { key: source, chain: source };
  }
  const right = {
    JKS: `${EXPECTED_FILE}, or PKCS12: ${CONVERT_KEY_STORE}`,
    PKCS12: `${EXPECTED_FILE}, or PKCS12 as ssl.keystore.type`,
    DER: EXPECTED_FILE,
    unknown: EXPECTED_FILE,
  }[kind];
  addFault(input, name, `${path} is ${KIND_TEXTS[kind]}`, right);
  return undefined;
}

function sourcesInText(input: SecurityInput): Record<'key' | 'chain', Source> | undefined {
  const key = sourceInText(input, 'ssl.keystore.key', 'PEM text with one private key');
  const chain = sourceInText(input, 'ssl.keystore.certificate.chain', 'PEM text with its certificate first');
  return key && chain && { key, chain };
}

function sourceInText(input: SecurityInput, name: SecurityKey, expected: string): Source | undefined {
  const text = input.valueOf(name);
  if (text === undefined) return undefined;
  return { name, text, subject: `got a text of ${text.length} characters (hidden)`, expected };
}

function privateKey(input: SecurityInput, source: Source): KeyObject | undefined {
  const parts = pemParts(source.text);
  const [block, ...others] = parts.filter(({ label }) => label.endsWith('PRIVATE KEY'));
  if (!block) {
    addSourceFault(input, source, whyNone(parts.length, 'private key'));
    return undefined;
  }
  if (!block.isComplete) {
    addSourceFault(input, source, `the private key in it ${block.wrong}`);
    return undefined;
  }
  if (others.length > 0) {
    addSourceFault(input, source, `there are ${others.length + 1} private keys in it`);
    return undefined;
  }
  if (isRefused(input, 'ssl.key.password')) return undefined;
  const password = input.valueOf('ssl.key.password');
  if (block.isEncrypted && password === undefined) {
    const wrong = `is missing${input.hintFor('ssl.key.password')}`;
    addFault(input, 'ssl.key.password', wrong, `the password of the encrypted key in ${source.name}`);
    return undefined;
  }
  if (!block.isEncrypted && password !== undefined) {
    input.warnings.push(`No effect of ssl.key.password: the key in ${source.name} is not encrypted.`);
  }
  try {
    return createPrivateKey({ key: block.text, passphrase: password ?? '' });
  } catch (error) {
    const reason = opensslReason(error);
    if (block.isEncrypted && /decrypt/.test(reason)) {
      const wrong = `does not open the key in ${source.name} (${reason})`;
      addFault(input, 'ssl.key.password', wrong, 'the password of that key');
    } else {
      addSourceFault(input, source, `the private key in it cannot be read (${reason})`);
    }
    return undefined;
  }
}

function addSourceFault(input: SecurityInput, { name, subject, expected }: Source, wrong: string): void {
  addFault(input, name, `${subject}: ${wrong}`, expected);
}
