import { PLAINTEXT, type BrokerSecurity, type SecurityProtocol } from '../../kafka/brokerSecurity';
import { SASL_SETTINGS } from '../settings/saslSettings';
import { TLS_SETTINGS } from '../settings/tlsSettings';
import { saslSettings } from './saslLogin';
import type { SecurityInput, SecurityKey } from './securityInput';
import { tlsSettings } from './tlsContext';

const TLS_KEYS = keysOf(TLS_SETTINGS).filter((name) => name !== 'security.protocol');
const SASL_KEYS = keysOf(SASL_SETTINGS);

/** How brokers are to be spoken to. Reads the files of the stores. If it reports faults its result means nothing. */
export function brokerSecurity(input: SecurityInput): BrokerSecurity {
  const protocol = input.valueOf('security.protocol') as SecurityProtocol | undefined;
  // Refused: what the others would mean cannot be said.
  if (protocol === undefined) return PLAINTEXT;
  const withTls = protocol === 'SSL' || protocol === 'SASL_SSL';
  const withSasl = protocol === 'SASL_PLAINTEXT' || protocol === 'SASL_SSL';
  if (!withTls) warnOfNoEffect(input, TLS_KEYS, `${protocol}, which is without TLS`);
  if (!withSasl) warnOfNoEffect(input, SASL_KEYS, `${protocol}, which is without a login`);
  const tls = withTls ? tlsSettings(input) : undefined;
  const sasl = withSasl ? saslSettings(input) : undefined;
  return { protocol, ...(tls && { tls }), ...(sasl && { sasl }) };
}

function warnOfNoEffect(input: SecurityInput, names: readonly SecurityKey[], why: string): void {
  const given = names.filter((name) => input.isGiven(name));
  if (given.length === 0) return;
  input.warnings.push(`No effect of ${given.join(', ')}: security.protocol is ${why}.`);
}

function keysOf<T extends object>(settings: T): (keyof T)[] {
  return Object.keys(settings) as (keyof T)[];
}
