import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';

import type { ZookeeperAdmin } from './ZookeeperAdmin';

const HASHES = { 'SCRAM-SHA-256': ['sha256', 32], 'SCRAM-SHA-512': ['sha512', 64] } as const;
/** The least that brokers take. */
const ITERATIONS = 4096;
/** Any will do; a fixed one makes runs alike. */
const SALT = Buffer.from('salt of the specs');

/** Makes the user known for SCRAM, or changes the password, as kafka-configs.sh does. Brokers read it when they start. */
export async function writeScramUser(
  zookeeper: ZookeeperAdmin,
  name: string,
  password: string,
): Promise<void> {
  const mechanisms = Object.keys(HASHES) as (keyof typeof HASHES)[];
  const config = Object.fromEntries(mechanisms.map((one) => [one, credentials(one, password)]));
  await zookeeper.mkdirp('/config/users');
  const path = `/config/users/${name}`;
  const data = JSON.stringify({ version: 1, config });
  if (await zookeeper.exists(path)) await zookeeper.set(path, data);
  else await zookeeper.create(path, data);
}

/** What a broker keeps in place of the password (RFC 5802). */
function credentials(mechanism: keyof typeof HASHES, password: string): string {
  const [hash, length] = HASHES[mechanism];
  const salted = pbkdf2Sync(password, SALT, ITERATIONS, length, hash);
  const keyOf = (text: string): Buffer => createHmac(hash, salted).update(text).digest();
  const stored = createHash(hash).update(keyOf('Client Key')).digest('base64');
  const server = keyOf('Server Key').toString('base64');
  return `salt=${SALT.toString('base64')},stored_key=${stored},server_key=${server},iterations=${ITERATIONS}`;
}
