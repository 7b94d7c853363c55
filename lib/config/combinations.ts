import { CONFIG_TABLE, type ResolvedConfig } from './configTable';
import { expectedText } from './settingText';
import type { Setting } from './settingTypes';
import type { ConfigValue } from './settingValue';
import { shownValue } from './shownValue';

/** What is wrong with values that are right by themselves. */
export function combinationFaults(
  given: ReadonlyMap<string, unknown>,
  values: ReadonlyMap<string, ConfigValue | undefined>,
): string[] {
  const faults: string[] = [];
  for (const [name, setting] of Object.entries<Setting>(CONFIG_TABLE)) {
    if (setting.type !== 'int' || setting.notBelow === undefined) continue;
    const value = values.get(name);
    const lowest = values.get(setting.notBelow);
    if (typeof value !== 'number' || typeof lowest !== 'number' || value >= lowest) continue;
    const got = given.has(name) ? `got ${shownValue(given.get(name))}` : `the default is ${value}`;
    faults.push(`${name}: ${got}; expected at least the value of ${setting.notBelow}, which is ${lowest}`);
  }
  if (values.get('zookeeper.set.acl') === true && !given.has('zookeeper.auth')) {
    faults.push(
      'zookeeper.set.acl: got true without zookeeper.auth, so that there is nobody to belong to; ' +
        `expected ${expectedText(CONFIG_TABLE['zookeeper.auth'])} in zookeeper.auth`,
    );
  }
  return faults;
}

/** Sentences about values that do not go well together, or of which one makes another have no effect. */
export function combinationWarnings(given: ReadonlyMap<string, unknown>, config: ResolvedConfig): string[] {
  return [...valuesWithoutEffect(given, config), ...attemptWarnings(config)];
}

function valuesWithoutEffect(given: ReadonlyMap<string, unknown>, config: ResolvedConfig): string[] {
  const warnings: string[] = [];
  if (config['dual.commit.enabled'] && config['offsets.storage'] === 'zookeeper') {
    warnings.push(
      'dual.commit.enabled is true, but has no effect while offsets.storage is zookeeper: offsets are stored there only.',
    );
  }
  if (given.has('roundrobin.text.order') && config['partition.assignment.strategy'] === 'range') {
    warnings.push(
      'roundrobin.text.order is given, but has no effect while partition.assignment.strategy is range.',
    );
  }
  return warnings;
}

/** A rebalance that fails because another member is slow should be tried for longer than that one takes. */
function attemptWarnings(config: ResolvedConfig): string[] {
  const warnings: string[] = [];
  const attempts = config['rebalance.max.retries'];
  const backoffMs = config['rebalance.backoff.ms'];
  const sessionMs = config['zookeeper.session.timeout.ms'];
  const drainMs = config['rebalance.drain.timeout.ms'];
  const retryMs = attempts * backoffMs;
  const product = `rebalance.max.retries x rebalance.backoff.ms is ${attempts} x ${backoffMs} = ${retryMs} ms`;
  if (retryMs <= sessionMs) {
    warnings.push(
      `${product}, which is not more than zookeeper.session.timeout.ms (${sessionMs}): the partitions of a member ` +
        `that has crashed are held until its session ends, so a rebalance may use up its attempts before that.`,
    );
  }
  if (retryMs <= drainMs) {
    warnings.push(
      `${product}, which is not more than rebalance.drain.timeout.ms (${drainMs}): members with these settings may ` +
        `use up their attempts while this one still waits for its application.`,
    );
  }
  return warnings;
}
