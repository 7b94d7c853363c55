import type { ConnectorConfig } from '../../lib';
import type { SaslMechanism, SecurityProtocol } from '../../lib/kafka/brokerSecurity';
import { certificates, STORE_PASSWORD } from './cluster/certificates';
import { USER } from './cluster/securedBrokers';

/** A way to be let in. */
export interface Access {
  readonly protocol: SecurityProtocol;
  /** There if the protocol has SASL. */
  readonly mechanism?: SaslMechanism;
}

const MECHANISMS: readonly SaslMechanism[] = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'];

/** All that brokers can be asked for which know SASL. */
export const ALL_ACCESSES: readonly Access[] = [
  { protocol: 'SSL' },
  ...MECHANISMS.map((mechanism) => ({ protocol: 'SASL_PLAINTEXT', mechanism }) as const),
  ...MECHANISMS.map((mechanism) => ({ protocol: 'SASL_SSL', mechanism }) as const),
];

/** Settings with which brokers of `securedBrokers` let a member in. */
export async function settingsFor(
  { protocol, mechanism }: Access,
  { username, password }: { username: string; password: string } = {
    username: USER.name,
    password: USER.password,
  },
): Promise<Partial<ConnectorConfig>> {
  const login = `required username="${username}" password="${password}";`;
  const module = mechanism === 'PLAIN' ? 'plain.PlainLoginModule' : 'scram.ScramLoginModule';
  return {
    'security.protocol': protocol,
    ...(protocol.endsWith('SSL') && { 'ssl.truststore.location': (await certificates()).authority }),
    ...(mechanism && {
      'sasl.mechanism': mechanism,
      'sasl.jaas.config': `org.apache.kafka.common.security.${module} ${login}`,
    }),
  };
}

/** The certificate that brokers demand with `ssl.client.auth=required`. */
export async function clientCertificate(): Promise<Partial<ConnectorConfig>> {
  return {
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': (await certificates()).client,
    'ssl.keystore.password': STORE_PASSWORD,
  };
}
