import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { SecurityProtocol } from '../../../lib/kafka/brokerSecurity';
import { buildOnce } from './buildOnce';
import { certificates, STORE_PASSWORD } from './certificates';
import type { RealClusterOptions } from './RealCluster';
import type { BrokerProperties } from './TestCluster';
import type { BrokerAddress } from './clusterFiles';
import { freePorts } from './freePorts';
import { CACHE } from './kafkaJars';
import { writeScramUser } from './scramUsers';

/** Who may log in, by any mechanism. */
export const USER = { name: 'alice', password: 'alice-secret' };

/** Brokers before 1.0 read their logins from a file only; later ones still do. */
const LOGINS = `KafkaServer {
  org.apache.kafka.common.security.plain.PlainLoginModule required user_${USER.name}="${USER.password}";
  org.apache.kafka.common.security.scram.ScramLoginModule required;
};
`;

export interface SecuredBrokersOptions {
  /** A listener for each. The first one is on the broker's port, and brokers use it among themselves. */
  readonly protocols: readonly SecurityProtocol[];
  /** Instead of what brokers have by default: all mechanisms, no certificates of clients. */
  readonly properties?: BrokerProperties;
}

/** Options of a cluster whose brokers have these listeners: TLS from 0.9 on, SASL (PLAIN and SCRAM) from 0.10.2 on. */
export async function securedBrokers({
  protocols,
  properties = {},
}: SecuredBrokersOptions): Promise<
  Pick<RealClusterOptions, 'brokerProperties' | 'beforeBrokers' | 'jvmFlags'>
> {
  const tls = await tlsProperties();
  const brokerProperties = async (broker: BrokerAddress): Promise<BrokerProperties> => ({
    ...tls,
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    listeners: await listenersOf(broker, protocols),
    'security.inter.broker.protocol': protocols[0] ?? 'PLAINTEXT',
    ...properties,
  });
  if (!protocols.some((protocol) => protocol.startsWith('SASL'))) return { brokerProperties };
  return {
    brokerProperties,
    beforeBrokers: (zookeeper) => writeScramUser(zookeeper, USER.name, USER.password),
    jvmFlags: [`-Djava.security.auth.login.config=${await loginsFile()}`],
  };
}

async function listenersOf(
  { host, port }: BrokerAddress,
  protocols: readonly SecurityProtocol[],
): Promise<string> {
  const ports = [port, ...(await freePorts(protocols.length - 1))];
  return protocols.map((protocol, index) => `${protocol}://${host}:${ports[index]}`).join(',');
}

async function tlsProperties(): Promise<BrokerProperties> {
  const { server, trustStore } = await certificates();
  return {
    'ssl.keystore.type': 'PKCS12',
    'ssl.keystore.location': server,
    'ssl.keystore.password': STORE_PASSWORD,
    'ssl.key.password': STORE_PASSWORD,
    'ssl.truststore.type': 'PKCS12',
    'ssl.truststore.location': trustStore,
    'ssl.truststore.password': STORE_PASSWORD,
  };
}

/** Outside of the clusters' folders, since the JVM is told before there is one. */
async function loginsFile(): Promise<string> {
  const name = `logins-${createHash('sha256').update(LOGINS).digest('hex').slice(0, 12)}`;
  const folder = await buildOnce(path.join(CACHE, 'logins', name), (output) =>
    writeFile(path.join(output, 'jaas.conf'), LOGINS),
  );
  return path.join(folder, 'jaas.conf');
}
