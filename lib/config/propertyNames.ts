import { didYouMean, nearestName } from '../unknownNames';
import { excerpt } from '../excerpt';
import { CONFIG_TABLE } from './configTable';

const KNOWN_NAMES = Object.keys(CONFIG_TABLE);

/** Properties that the JVM connector or the Kafka clients of Java have, but that mean nothing in this version. */
export const PROPERTIES_WITHOUT_EFFECT: readonly string[] = [
  'mirror.consumer.numthreads',
  'mirror.topics.blacklist',
  'mirror.topics.whitelist',
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

/** More warnings of names would only hide the others. */
const MOST_WARNINGS = 100;

/** Warnings of names that mean nothing. */
export function unknownNameWarnings(names: readonly string[]): string[] {
  const warnings = names.slice(0, MOST_WARNINGS).map(unknownNameWarning);
  const more = names.length - warnings.length;
  return more === 0 ? warnings : [...warnings, `${more} more properties are not known and have no effect.`];
}

/** The property that is probably meant by a name that is none. */
export function similarName(name: string): string | undefined {
  return nearestName(name, KNOWN_NAMES);
}

/** A warning only: properties files are shared with other clients, and the JVM connector warns too. */
function unknownNameWarning(name: string): string {
  if (PROPERTIES_WITHOUT_EFFECT.includes(name))
    return `The property "${name}" has no effect in this version.`;
  const hint = didYouMean(name, KNOWN_NAMES);
  return `The property ${excerpt(name)} is not known and has no effect.${hint === undefined ? '' : ` ${hint}`}`;
}
