import type { SaslMechanism, SaslSettings } from '../../kafka/brokerSecurity';
import { expectedText } from '../settingText';
import { SASL_SETTINGS } from '../settings/saslSettings';
import { parseJaasConfig, PLAIN_LOGIN_MODULE, SCRAM_LOGIN_MODULE } from './jaasConfig';
import { addFault, type SecurityInput } from './securityInput';

/** The login for a protocol that has one; undefined if a fault was reported, here or before. */
export function saslSettings(input: SecurityInput): SaslSettings | undefined {
  for (const name of ['sasl.mechanism', 'sasl.jaas.config'] as const) {
    if (input.isGiven(name)) continue;
    const why = `is missing${input.hintFor(name)}, which a login needs`;
    addFault(input, name, why, expectedText(SASL_SETTINGS[name]));
  }
  const mechanism = input.valueOf('sasl.mechanism') as SaslMechanism | undefined;
  const text = input.valueOf('sasl.jaas.config');
  if (mechanism === undefined || text === undefined) return undefined;
  const { module, username, password, others, repeated } = parseJaasConfig(text);
  const wanted = mechanism === 'PLAIN' ? PLAIN_LOGIN_MODULE : SCRAM_LOGIN_MODULE;
  if (module !== wanted) {
    addFault(
      input,
      'sasl.jaas.config',
      `its login module is ${module}, but sasl.mechanism is ${mechanism}`,
      wanted,
    );
    return undefined;
  }
  if (others > 0) {
    input.warnings.push(
      `Only username and password of sasl.jaas.config have an effect, of its other options (${others}) none has.`,
    );
  }
  if (repeated.length > 0) {
    input.warnings.push(
      `sasl.jaas.config has its ${repeated.join(' and its ')} more than once; as in Java, the last one counts.`,
    );
  }
  return { mechanism, username, password };
}
