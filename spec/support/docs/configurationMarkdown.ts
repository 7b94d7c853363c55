import { CONFIG_SUBJECTS, CONFIG_TABLE } from '../../../lib/config/configTable';
import { PROPERTIES_WITHOUT_EFFECT } from '../../../lib/config/propertyNames';
import { defaultText, rangeText } from '../../../lib/config/settingText';
import type { Setting, Settings } from '../../../lib/config/settingTypes';

const ANY_CASE = Object.entries<Setting>(CONFIG_TABLE)
  .filter(([, setting]) => setting.type === 'choice' && setting.ignoreCase)
  .map(([name]) => `\`${name}\``);

const HEAD = `# Configuration

The settings are those of the JVM connector, under the same names. Each value may be typed (\`30000\`, \`true\`) or the
text that a properties file has for it (\`"30000"\`, \`"true"\`); \`loadConsumerProperties(file)\` reads such a file. All faults are reported at once, when the connector is
made, by one error with the code \`CONFIG_INVALID\`; nothing has been sent anywhere by then. Messages show what was given,
but never a password, a key or another secret.

A setting that is \`undefined\` counts as not given. Blanks around a text fall away, but not around a secret. Numbers are Java ints;
\`true\`, \`false\` and the words of a choice are taken exactly as written here; in any case only those of
${ANY_CASE.join(', ')}.
`;

const TAIL = `## Rules about several settings

- \`socket.timeout.ms\` must be at least \`fetch.wait.max.ms\`, and \`fetch.max.bytes\` at least
  \`fetch.message.max.bytes\`.
- There is a warning if \`rebalance.max.retries\` x \`rebalance.backoff.ms\` is not more than
  \`zookeeper.session.timeout.ms\`: the partitions of a crashed member are held until its session ends, and a rebalance
  may use up its attempts before that.
- There is a warning if that product is not more than \`rebalance.drain.timeout.ms\`.
- There is a warning for \`dual.commit.enabled\` with \`offsets.storage\` zookeeper, and for \`roundrobin.text.order\` with
  \`partition.assignment.strategy\` range: they have no effect there.
- \`zookeeper.set.acl\` needs \`zookeeper.auth\`.
- A \`security.protocol\` with SASL needs \`sasl.mechanism\` and \`sasl.jaas.config\`, whose login module must be the one
  for that mechanism.
- Trusted certificates, and likewise the own key, come from a file or from PEM text, not from both. With PEM text,
  \`ssl.keystore.key\` and \`ssl.keystore.certificate.chain\` need each other. The certificate must be that of the key.
- \`ssl.keystore.password\` belongs to the type PKCS12, which needs it; \`ssl.key.password\` to an encrypted key in PEM.
- A version of TLS without a suite in \`ssl.cipher.suites\` is not used.
- There is a warning for properties of TLS or of a login that have no effect with the \`security.protocol\`; their files
  are not read then.

## Other properties

These properties of the JVM connector and of the Java clients have no effect in this version, which a warning says:

${PROPERTIES_WITHOUT_EFFECT.map((name) => `- \`${name}\``).join('\n')}

Names that are not known get a warning too, except those that start with \`external\`.
`;

/** The text of docs/configuration.md. */
export function configurationMarkdown(): string {
  return [HEAD, ...CONFIG_SUBJECTS.flatMap(({ title, settings }) => subject(title, settings)), TAIL].join(
    '\n',
  );
}

function subject(title: string, settings: Settings): string[] {
  const sections = Object.entries(settings).map(([name, setting]) => section(name, setting));
  return [`## ${title}\n`, ...sections];
}

function section(name: string, setting: Setting): string {
  return `### \`${name}\`

${setting.doc}

- Type: ${setting.type}
- Allowed: ${rangeText(setting)}
- Default: ${defaultText(setting)}
- Source: ${setting.source}
`;
}
