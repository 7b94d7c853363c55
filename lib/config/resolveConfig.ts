import { ConnectorError } from '../errors';
import { excerpt } from '../zookeeper/znodeText';
import { CONFIG_TABLE, type ResolvedConfig } from './configTable';
import { isExternalName, PROPERTIES_WITHOUT_EFFECT, similarName } from './propertyNames';
import { expectedText } from './settingText';
import type { Setting } from './settingTypes';
import { readSettingValue, type ConfigValue } from './settingValue';
import { shownValue } from './shownValue';

export type { ResolvedConfig } from './configTable';

export interface ConfigResult {
  readonly config: ResolvedConfig;
  /** Sentences about settings that have no effect or do not go well together. */
  readonly warnings: string[];
}

/** Wider than the table's own type, so that one loop can treat all kinds of settings. */
const SETTINGS: ReadonlyMap<string, Setting> = new Map(Object.entries<Setting>(CONFIG_TABLE));

/** Checks the settings of a connector and fills in the defaults. Throws CONFIG_INVALID with all faults at once. */
export function resolveConfig(input: unknown): ConfigResult {
  const faults: string[] = [];
  const given = givenProperties(input);
  const unknown = [...given.keys()].filter((name) => !SETTINGS.has(name) && !isExternalName(name));
  const values = new Map<string, ConfigValue | undefined>();
  readGivenValues(given, unknown, values, faults);
  fillDefaults(given, values);
  compareValues(given, values, faults);
  if (faults.length > 0) throw configError(faults);
  // The loops have put a checked value behind each name of the table.
  const config = Object.freeze(Object.fromEntries(values)) as unknown as ResolvedConfig;
  return { config, warnings: [...unknown.map(unknownNameWarning), ...combinationWarnings(config)] };
}

function configError(faults: readonly string[]): ConnectorError {
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  const lines = faults.map((fault) => `- ${fault}`);
  return new ConnectorError('CONFIG_INVALID', `The configuration has ${count}:\n${lines.join('\n')}`, {
    faults,
  });
}

/** Own properties only; undefined counts as not given, as an environment variable that is not set would be. */
function givenProperties(input: unknown): Map<string, unknown> {
  try {
    if (isPlainObject(input)) {
      return new Map(Object.entries(input).filter(([, value]) => value !== undefined));
    }
  } catch (error) {
    // A getter or a proxy has thrown.
    throw configError([`The configuration itself: cannot be read: ${String(error)}`]);
  }
  throw configError([
    `The configuration itself: got ${shownValue(input)}; expected an object with property names as keys`,
  ]);
}

/** Also true for an object of another realm, whose prototype is not this realm's. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function readGivenValues(
  given: ReadonlyMap<string, unknown>,
  unknown: readonly string[],
  values: Map<string, ConfigValue | undefined>,
  faults: string[],
): void {
  for (const [name, setting] of SETTINGS) {
    if (given.has(name)) {
      const read = readSettingValue(setting, given.get(name));
      if ('value' in read) values.set(name, read.value);
      else faults.push(`${name}: ${read.fault}`);
    } else if (setting.default === 'required') {
      const meant = unknown.find((other) => similarName(other) === name);
      const hint = meant === undefined ? '' : ` (there is ${excerpt(meant)}, is that meant?)`;
      faults.push(`${name}: is missing${hint}; expected ${expectedText(setting)}`);
    }
  }
}

function fillDefaults(
  given: ReadonlyMap<string, unknown>,
  values: Map<string, ConfigValue | undefined>,
): void {
  for (const [name, setting] of SETTINGS) {
    if (given.has(name) || setting.default === 'required') continue;
    if (setting.default === 'generated') {
      values.set(name, undefined);
    } else if (typeof setting.default !== 'object') {
      values.set(name, setting.default);
    } else {
      const { from, atLeast } = setting.default;
      const value = values.get(from);
      // The other one was refused: then this has no value either, and is not worth a fault of its own.
      if (value === undefined) continue;
      values.set(name, typeof value === 'number' ? Math.max(value, atLeast ?? value) : value);
    }
  }
}

function compareValues(
  given: ReadonlyMap<string, unknown>,
  values: ReadonlyMap<string, ConfigValue | undefined>,
  faults: string[],
): void {
  for (const [name, setting] of SETTINGS) {
    if (setting.type !== 'int' || setting.notBelow === undefined) continue;
    const value = values.get(name);
    const lowest = values.get(setting.notBelow);
    if (typeof value !== 'number' || typeof lowest !== 'number' || value >= lowest) continue;
    const got = given.has(name) ? `got ${shownValue(given.get(name))}` : `the default is ${value}`;
    faults.push(`${name}: ${got}; expected at least the value of ${setting.notBelow}, which is ${lowest}`);
  }
}

/** A warning only: properties files are shared with other clients, and the JVM connector warns too. */
function unknownNameWarning(name: string): string {
  if (PROPERTIES_WITHOUT_EFFECT.includes(name))
    return `The property "${name}" has no effect in this version.`;
  const similar = similarName(name);
  const hint = similar === undefined ? '' : ` Did you mean "${similar}"?`;
  return `The property ${excerpt(name)} is not known and has no effect.${hint}`;
}

function combinationWarnings(config: ResolvedConfig): string[] {
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
