import { CONFIG_TABLE } from '../../../lib/config/configTable';
import { PROPERTIES_WITHOUT_EFFECT } from '../../../lib/config/propertyNames';
import { defaultText, rangeText } from '../../../lib/config/settingText';
import type { Setting } from '../../../lib/config/settingTypes';

const HEAD = `# Configuration

The settings are those of the JVM connector, under the same names. Each value may be typed (\`30000\`, \`true\`) or the
text that a properties file has for it (\`"30000"\`, \`"true"\`). All faults are reported at once, when the connector is
made, by one error with the code \`CONFIG_INVALID\`; nothing has been sent anywhere by then.

A setting that is \`undefined\` counts as not given. Numbers are Java ints, text around them may have blanks; \`true\`,
\`false\` and the words of a choice are taken exactly as written here (only \`offsets.storage\` in any case).
`;

const TAIL = `## Rules about several settings

- \`socket.timeout.ms\` must be at least \`fetch.wait.max.ms\`, and \`fetch.max.bytes\` at least
  \`fetch.message.max.bytes\`.
- There is a warning if \`rebalance.max.retries\` x \`rebalance.backoff.ms\` is not more than
  \`zookeeper.session.timeout.ms\`: the partitions of a crashed member are held until its session ends, and a rebalance
  may use up its attempts before that.
- There is a warning if that product is not more than \`rebalance.drain.timeout.ms\`.

## Other properties

These properties of the JVM connector have no effect in this version, which a warning says:

${PROPERTIES_WITHOUT_EFFECT.map((name) => `- \`${name}\``).join('\n')}

Names that are not known get a warning too, except those that start with \`external\`.
`;

/** The text of docs/configuration.md. */
export function configurationMarkdown(): string {
  const sections = Object.entries<Setting>(CONFIG_TABLE).map(([name, setting]) => section(name, setting));
  return [HEAD, ...sections, TAIL].join('\n');
}

function section(name: string, setting: Setting): string {
  return `## \`${name}\`

${setting.doc}

- Type: ${setting.type}
- Allowed: ${rangeText(setting)}
- Default: ${defaultText(setting)}
- Source: ${setting.source}
`;
}
