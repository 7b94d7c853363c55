import { faultOf } from '../parseFault';
import { parseJaasConfig } from '../security/jaasConfig';
import type { Settings } from '../settingTypes';

/** How this client logs in at the brokers. */
export const SASL_SETTINGS = {
  'sasl.mechanism': {
    type: 'choice',
    choices: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512'],
    default: 'none',
    answers: {
      GSSAPI: 'Kerberos, the default of the JVM, is not supported',
      OAUTHBEARER: 'a login by token is not supported',
    },
    doc: 'Kind of login, required if `security.protocol` has SASL. The default of the JVM, GSSAPI, is not supported.',
    source: 'org.apache.kafka.common.config.SaslConfigs',
  },
  'sasl.jaas.config': {
    type: 'string',
    default: 'none',
    secret: true,
    expected:
      'org.apache.kafka.common.security.plain.PlainLoginModule (or ….scram.ScramLoginModule) required username="…" password="…";',
    fault: faultOf(parseJaasConfig),
    doc: 'User and password of the login, in the syntax that the JVM has for it; required if `security.protocol` has SASL. PlainLoginModule belongs to PLAIN, ScramLoginModule to the others.',
    source: 'org.apache.kafka.common.config.SaslConfigs',
  },
} as const satisfies Settings;
