import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createSecureContext, type SecureContextOptions, type TlsOptions } from 'node:tls';

import type { BrokerSecurity, TlsSettings } from '../../../../lib/kafka/brokerSecurity';

const FIXTURES = path.join(__dirname, '../../../fixtures');

/** The text of a file, such as `tls/ca.pem`. */
function fixture(name: string): string {
  return readFileSync(path.join(FIXTURES, name), 'utf8');
}

const key = fixture('tls/server.key');

/** For localhost and 127.0.0.1. */
export const SERVER: TlsOptions = { key, cert: fixture('tls/server.pem') };
/** The same, until 2021. */
export const EXPIRED_SERVER: TlsOptions = { key, cert: fixture('tls/expired.pem') };
/** For localhost only, and by the authority of the clients. */
export const LOCALHOST_SERVER: TlsOptions = {
  key: fixture('config-tls/server.key'),
  cert: fixture('config-tls/server.pem') + fixture('config-tls/intermediate.pem'),
};
/** Has signed the certificates of the brokers. */
export const CA = fixture('tls/ca.pem');
/** Has signed those of the clients. */
export const CLIENT_CA = fixture('config-tls/ca.pem');
/** A certificate that CLIENT_CA has signed. */
export const CLIENT: SecureContextOptions = {
  key: fixture('config-tls/client.key'),
  cert: fixture('config-tls/client.pem'),
};
/** A certificate that it has not signed. */
export const STRANGER: SecureContextOptions = { key, cert: fixture('tls/server.pem') };

/** Settings that trust CA unless `context` says something else. */
export function tlsSettings(
  context: SecureContextOptions = {},
  { checkHostName = true }: { readonly checkHostName?: boolean } = {},
): TlsSettings {
  return { context: createSecureContext({ ca: CA, ...context }), checkHostName };
}

export function tlsSecurity(...settings: Parameters<typeof tlsSettings>): BrokerSecurity {
  return { protocol: 'SSL', tls: tlsSettings(...settings) };
}
