import { parseCipherSuites } from '../security/cipherSuites';
import { CONVERT_TRUST_STORE, CONVERT_KEY_STORE } from '../security/storeFile';
import { parseTlsVersions } from '../security/tlsVersions';
import { faultOf } from '../parseFault';
import type { Settings } from '../settingTypes';

/** Which listener of the brokers is used, and whom both sides trust. */
export const TLS_SETTINGS = {
  'security.protocol': {
    type: 'choice',
    choices: ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'],
    default: 'PLAINTEXT',
    ignoreCase: true,
    doc: 'The listener of the brokers to use: with SSL the connection is encrypted by TLS, with SASL this client logs in.',
    source: 'org.apache.kafka.clients.CommonClientConfigs',
  },
  'ssl.truststore.type': {
    type: 'choice',
    choices: ['PEM'],
    default: 'PEM',
    ignoreCase: true,
    answers: {
      jks: `Node cannot read a Java key store; ${CONVERT_TRUST_STORE}`,
      pkcs12: `Node cannot read a PKCS12 file as a trust store; ${CONVERT_TRUST_STORE}`,
    },
    doc: 'Format of the trust store. The JVM has JKS as default, which has to be converted: `keytool -list -rfc -keystore truststore.jks > truststore.pem`.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.truststore.location': {
    type: 'string',
    default: 'none',
    expected: 'the path of a PEM file',
    fault: pathFault,
    doc: 'File with the certificates that are trusted, as in Java each for itself. It is read when the connector is made. Without it, and without `ssl.truststore.certificates`, those that come with Node are trusted.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.truststore.certificates': {
    type: 'string',
    default: 'none',
    // As in the JVM: whoever mixes them up puts a key here.
    secret: true,
    expected: 'PEM text with certificates',
    fault: emptyFault,
    doc: 'The certificates that are trusted, instead of a file.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.truststore.password': {
    type: 'string',
    default: 'none',
    secret: true,
    expected: 'a text',
    fault: noFault,
    doc: 'Accepted without effect, with a warning: a trust store of the type PEM has no password.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.keystore.type': {
    type: 'choice',
    choices: ['PEM', 'PKCS12'],
    default: 'PEM',
    ignoreCase: true,
    answers: { jks: `Node cannot read a Java key store; ${CONVERT_KEY_STORE}` },
    doc: 'Format of the key store. The JVM has JKS as default, which has to be converted: `keytool -importkeystore -srckeystore client.jks -destkeystore client.p12 -deststoretype PKCS12`. From a PKCS12 file Node trusts the certificates of the issuers, too, whatever the trust store says; PEM has no such effect.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.keystore.location': {
    type: 'string',
    default: 'none',
    expected: 'the path of a PEM or PKCS12 file',
    fault: pathFault,
    doc: 'File with the own private key and its certificate, the latter followed by those of its issuers, for brokers that ask for it. It is read when the connector is made.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.keystore.password': {
    type: 'string',
    default: 'none',
    secret: true,
    expected: 'a text',
    fault: noFault,
    doc: 'Password of a key store of the type PKCS12, which needs one.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.keystore.key': {
    type: 'string',
    default: 'none',
    secret: true,
    expected: 'PEM text with a private key',
    fault: emptyFault,
    doc: 'The own private key, instead of a file. Needs `ssl.keystore.certificate.chain`.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.keystore.certificate.chain': {
    type: 'string',
    default: 'none',
    // As in the JVM: whoever mixes them up puts the key here.
    secret: true,
    expected: 'PEM text with the own certificate, then those of its issuers',
    fault: emptyFault,
    doc: 'The certificate of `ssl.keystore.key`, followed by those of its issuers.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.key.password': {
    type: 'string',
    default: 'none',
    secret: true,
    expected: 'a text',
    fault: noFault,
    doc: 'Password of the private key, if PEM has it encrypted.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.enabled.protocols': {
    type: 'string',
    default: { text: 'TLSv1.2,TLSv1.3' },
    expected: 'names of TLS versions with commas between them and none left out, up to TLSv1.2 or TLSv1.3',
    fault: faultOf(parseTlsVersions),
    doc: 'Versions of TLS that may be used.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.cipher.suites': {
    type: 'string',
    default: 'none',
    expected: 'names of cipher suites with commas between them, those of Java or of OpenSSL',
    fault: faultOf(parseCipherSuites),
    doc: 'Cipher suites that may be used, the best one first. Without it those of Node.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
  'ssl.endpoint.identification.algorithm': {
    type: 'choice',
    choices: ['https', ''],
    default: 'https',
    ignoreCase: true,
    doc: 'Whether the certificate of a broker must be for the host that was connected to; the empty text turns this check off.',
    source: 'org.apache.kafka.common.config.SslConfigs',
  },
} as const satisfies Settings;

function pathFault(text: string): string | undefined {
  if (text.includes('\0')) return 'a path cannot have the character U+0000';
  return emptyFault(text);
}

function emptyFault(text: string): string | undefined {
  return text.trim() === '' ? 'it is empty' : undefined;
}

function noFault(): undefined {
  return undefined;
}
