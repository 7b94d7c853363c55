import { CONFIG_TABLE } from './configTable';

/** Properties that the JVM connector or the Kafka clients of Java have, but that mean nothing in this version. */
export const PROPERTIES_WITHOUT_EFFECT: readonly string[] = [
  'dual.commit.enabled',
  'exclude.internal.topics',
  'mirror.consumer.numthreads',
  'mirror.topics.blacklist',
  'mirror.topics.whitelist',
  'offsets.channel.backoff.ms',
  'offsets.channel.socket.timeout.ms',
  'offsets.commit.max.retries',
  'sasl.client.callback.handler.class',
  'sasl.kerberos.kinit.cmd',
  'sasl.kerberos.min.time.before.relogin',
  'sasl.kerberos.service.name',
  'sasl.kerberos.ticket.renew.jitter',
  'sasl.kerberos.ticket.renew.window.factor',
  'sasl.login.callback.handler.class',
  'sasl.login.class',
  'ssl.engine.factory.class',
  'ssl.keymanager.algorithm',
  'ssl.protocol',
  'ssl.provider',
  'ssl.secure.random.implementation',
  'ssl.trustmanager.algorithm',
];

/** The JVM connector says nothing about properties of this kind: they are the application's own. */
export function isExternalName(name: string): boolean {
  return name.startsWith('external');
}

/** The known name that is probably meant: same words in another order or spelling, or a few typing errors away. */
export function similarName(name: string): string | undefined {
  const known = Object.keys(CONFIG_TABLE);
  const sameWords = known.find(
    (other) => wordsOf(other) === wordsOf(name) || lettersOf(other) === lettersOf(name),
  );
  if (sameWords !== undefined) return sameWords;
  let nearest: string | undefined;
  let nearestDistance = Math.min(3, Math.floor(name.length / 4)) + 1;
  for (const other of known) {
    if (Math.abs(other.length - name.length) >= nearestDistance) continue;
    const distance = editDistance(name.toLowerCase(), other);
    if (distance < nearestDistance) [nearest, nearestDistance] = [other, distance];
  }
  return nearest;
}

function wordsOf(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, '$1.$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .sort()
    .join('.');
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Insertions, deletions and replacements (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
