import type { SecureVersion } from 'node:tls';
import { excerpt } from '../../excerpt';
import { refuseText } from '../parseFault';

const VERSIONS: readonly SecureVersion[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** Reads `TLSv1.2,TLSv1.3` in any order; the result is in order. */
export function parseTlsVersions(text: string): readonly SecureVersion[] {
  const names = text.split(',').map((name) => name.trim());
  for (const name of names) {
    if (name === '') refuse('a version is missing before, between or behind the commas');
    if (!VERSIONS.some((version) => version === name)) {
      refuse(`${excerpt(name)} is no version that Node has; there are ${VERSIONS.join(', ')}`);
    }
  }
  const versions = VERSIONS.filter((version) => names.includes(version));
  // Node, other than Java, takes a lowest and a highest version only.
  const first = VERSIONS.findIndex((version) => version === versions[0]);
  const missing = VERSIONS.slice(first).find((version, index) => version !== versions[index]);
  if (missing !== undefined && versions.length > VERSIONS.indexOf(missing) - first) {
    refuse(`${missing} is left out between others, which Node cannot do`);
  }
  if (!versions.some((version) => version === 'TLSv1.2' || version === 'TLSv1.3')) {
    refuse(`the OpenSSL of Node does not open connections of ${versions.join(' and ')} any more`);
  }
  return versions;
}

function refuse(reason: string): never {
  refuseText('ssl.enabled.protocols', reason);
}
