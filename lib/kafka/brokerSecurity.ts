import type { SecureContext } from 'node:tls';

/** The kinds of listener that a broker can have: `security.protocol` of the Java clients. */
export type SecurityProtocol = 'PLAINTEXT' | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL';

/** Kinds of login that this package can do: `sasl.mechanism` of the Java clients. */
export type SaslMechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';

/** How brokers are spoken to. */
export interface BrokerSecurity {
  readonly protocol: SecurityProtocol;
  /** There if the protocol is SSL or SASL_SSL. */
  readonly tls?: TlsSettings;
  /** There if the protocol is SASL_PLAINTEXT or SASL_SSL. */
  readonly sasl?: SaslSettings;
}

export interface TlsSettings {
  /** Who is trusted, the own certificate, versions and ciphers; made once for all connections. */
  readonly context: SecureContext;
  /** Whether the certificate must be for the host that was connected to (`ssl.endpoint.identification.algorithm`). */
  readonly checkHostName: boolean;
}

export interface SaslSettings {
  readonly mechanism: SaslMechanism;
  readonly username: string;
  readonly password: string;
}

export const PLAINTEXT: BrokerSecurity = { protocol: 'PLAINTEXT' };
