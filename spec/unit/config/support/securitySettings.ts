import { resolveConfig, type ConfigResult } from '../../../../lib/config/resolveConfig';
import { connectorErrorOf } from '../../connectorErrorOf';

const REQUIRED = { 'group.id': 'g', 'zookeeper.connect': 'h1:2181' };

export const PLAIN_LOGIN =
  'org.apache.kafka.common.security.plain.PlainLoginModule required username="alice" password="pass-word";';
export const SCRAM_LOGIN =
  'org.apache.kafka.common.security.scram.ScramLoginModule required username="alice" password="pass-word";';

export type GivenSettings = Readonly<Record<string, string | undefined>>;

export function resolve(settings: GivenSettings): ConfigResult {
  return resolveConfig({ ...REQUIRED, ...settings });
}

export function faultsOf(settings: GivenSettings): readonly string[] {
  return connectorErrorOf(() => resolve(settings)).context.faults ?? [];
}

/** The faults with TLS, which the other settings are about. */
export function tlsFaultsOf(settings: GivenSettings): readonly string[] {
  return faultsOf({ 'security.protocol': 'SSL', ...settings });
}

export function resolveTls(settings: GivenSettings): ConfigResult {
  return resolve({ 'security.protocol': 'SSL', ...settings });
}
