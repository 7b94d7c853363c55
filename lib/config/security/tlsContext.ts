import { createSecureContext, type SecureContextOptions, type SecureVersion } from 'node:tls';
import type { TlsSettings } from '../../kafka/brokerSecurity';
import { expectedText } from '../settingText';
import { TLS_SETTINGS } from '../settings/tlsSettings';
import { opensslReason } from './certificates';
import { isOfTls13, parseCipherSuites } from './cipherSuites';
import { keyPair, type KeyPair } from './keyStore';
import { addFault, type SecurityInput } from './securityInput';
import { parseTlsVersions } from './tlsVersions';
import { trustedCertificates } from './trustStore';

/** TLS for a protocol that has it; undefined if a fault was reported, here or before. */
export function tlsSettings(input: SecurityInput): TlsSettings | undefined {
  const before = input.faults.length;
  const trusted = trustedCertificates(input);
  const own = keyPair(input) ?? {};
  const protocol = versionsAndCiphers(input);
  const identification = input.valueOf('ssl.endpoint.identification.algorithm');
  if (input.faults.length > before || !protocol || identification === undefined) return undefined;
  const context = secureContext(input, own, { ...protocol, ...(trusted && trustOnly(trusted)) });
  return context && { context, checkHostName: identification === 'https' };
}

function trustOnly(trusted: readonly string[]): SecureContextOptions {
  // As in Java each certificate is trusted for itself, one of an issuer in between as well. Node before 20.18 does not know
  // this option and wants the root.
  return { ca: [...trusted], allowPartialTrustChain: true };
}

/** Faults of single files have been found before; what is left is what OpenSSL thinks of a key's strength, for example. */
function secureContext(
  input: SecurityInput,
  own: KeyPair,
  options: SecureContextOptions,
): TlsSettings['context'] | undefined {
  let subject: 'ssl.keystore.type' | 'ssl.truststore.type' = 'ssl.keystore.type';
  try {
    createSecureContext({ ...own, ca: [] });
    subject = 'ssl.truststore.type';
    return createSecureContext({ ...own, ...options });
  } catch (error) {
    const [store, expected] =
      subject === 'ssl.keystore.type'
        ? ['the key store', 'a key and a certificate that OpenSSL takes']
        : ['the trust store', 'certificates that OpenSSL takes'];
    addFault(input, subject, `${store} was refused by OpenSSL (${opensslReason(error)})`, expected);
    return undefined;
  }
}

/** Node would add the suites of TLS 1.3 to a list without any, where Java would not use that version. */
function versionsAndCiphers(input: SecurityInput): SecureContextOptions | undefined {
  const versionsText = input.valueOf('ssl.enabled.protocols');
  const suitesText = input.valueOf('ssl.cipher.suites');
  if (versionsText === undefined || (suitesText === undefined && input.isGiven('ssl.cipher.suites')))
    return undefined;
  const enabled = parseTlsVersions(versionsText);
  const suites = suitesText === undefined ? undefined : parseCipherSuites(suitesText);
  const versions = enabled.filter((version) => !suites || suites.some((suite) => fits(suite, version)));
  const [minVersion, maxVersion] = [versions[0], versions.at(-1)];
  if (minVersion === undefined || maxVersion === undefined) {
    const wrong = `no suite in it belongs to one of the versions in ssl.enabled.protocols, ${enabled.join(', ')}`;
    addFault(input, 'ssl.cipher.suites', wrong, expectedText(TLS_SETTINGS['ssl.cipher.suites']));
    return undefined;
  }
  return { minVersion, maxVersion, ...(suites && { ciphers: suites.join(':') }) };
}

function fits(suite: string, version: SecureVersion): boolean {
  return isOfTls13(suite) === (version === 'TLSv1.3');
}
