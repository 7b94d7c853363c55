import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { buildOnce } from './buildOnce';
import { runJavaTool } from './javaTools';
import { CACHE } from './kafkaJars';

/** Files of certificates, with their keys in PKCS12 under STORE_PASSWORD; made by keytool at the first call on this machine. */
export interface Certificates {
  /** Who has signed all others; as PEM. */
  readonly authority: string;
  /** An authority that has signed nothing; as PEM. */
  readonly stranger: string;
  /** The authority, as a trust store of the JVM. */
  readonly trustStore: string;
  /** For localhost and 127.0.0.1. */
  readonly server: string;
  /** For a host on which no broker is. */
  readonly elsewhere: string;
  /** For a client. */
  readonly client: string;
}

export const STORE_PASSWORD = 'store-secret';

const STORE = ['-storetype', 'PKCS12', '-storepass', STORE_PASSWORD];
const KEYTOOL_LIMIT_MS = 60_000;
const SIGNED = {
  server: 'san=dns:localhost,ip:127.0.0.1',
  elsewhere: 'san=dns:elsewhere.invalid',
  client: 'eku=clientAuth',
};

export async function certificates(): Promise<Certificates> {
  const recipe = createHash('sha256').update(await readFile(__filename));
  const name = `certificates-${recipe.digest('hex').slice(0, 12)}`;
  const folder = await buildOnce(path.join(CACHE, 'certificates', name), make);
  const at = (file: string): string => path.join(folder, file);
  return {
    authority: at('authority.pem'),
    stranger: at('stranger.pem'),
    trustStore: at('trust.p12'),
    server: at('server.p12'),
    elsewhere: at('elsewhere.p12'),
    client: at('client.p12'),
  };
}

async function make(folder: string): Promise<void> {
  await Promise.all(['authority', 'stranger'].map((name) => makeAuthority(folder, name)));
  const authority = ['-alias', 'authority', '-file', path.join(folder, 'authority.pem')];
  await keytool(folder, 'trust', ['-importcert', '-noprompt', ...authority]);
  await Promise.all(Object.entries(SIGNED).map(([name, extension]) => makeSigned(folder, name, extension)));
}

/** NAME.p12 and NAME.pem. */
async function makeAuthority(folder: string, name: string): Promise<void> {
  await keytool(folder, name, newKey(name, 'bc:c=ca:true'));
  const pem = path.join(folder, `${name}.pem`);
  await keytool(folder, name, ['-exportcert', '-rfc', '-alias', name, '-file', pem]);
}

/** NAME.p12 with a key and its chain of certificates. */
async function makeSigned(folder: string, name: string, extension: string): Promise<void> {
  const request = path.join(folder, `${name}.csr`);
  const chain = path.join(folder, `${name}.pem`);
  await keytool(folder, name, newKey(name, extension));
  await keytool(folder, name, ['-certreq', '-alias', name, '-file', request]);
  const signing = ['-gencert', '-rfc', '-alias', 'authority', '-validity', '3650', '-ext', extension];
  await keytool(folder, 'authority', [...signing, '-infile', request, '-outfile', chain]);
  const links = [chain, path.join(folder, 'authority.pem')].map((file) => readFile(file, 'utf8'));
  await writeFile(chain, (await Promise.all(links)).join(''));
  await keytool(folder, name, ['-importcert', '-noprompt', '-alias', name, '-file', chain]);
}

function newKey(name: string, extension: string): string[] {
  const key = ['-genkeypair', '-alias', name, '-keyalg', 'RSA', '-keysize', '2048', '-validity', '3650'];
  return [...key, '-dname', `CN=${name} of the specs`, '-ext', extension];
}

async function keytool(folder: string, store: string, args: readonly string[]): Promise<void> {
  const keystore = ['-keystore', path.join(folder, `${store}.p12`), ...STORE];
  await runJavaTool('keytool', [...args, ...keystore], KEYTOOL_LIMIT_MS);
}
