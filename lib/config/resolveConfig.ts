import { types } from 'node:util';

import { ConnectorError } from '../errors';
import type { BrokerSecurity } from '../kafka/brokerSecurity';
import { excerpt } from '../excerpt';
import { combinationFaults, combinationWarnings } from './combinations';
import { CONFIG_TABLE, type ResolvedConfig } from './configTable';
import { isExternalName, similarName, unknownNameWarnings } from './propertyNames';
import { brokerSecurity } from './security/brokerSecurity';
import type { SecurityInput } from './security/securityInput';
import { expectedText } from './settingText';
import type { Setting } from './settingTypes';
import { readSettingValue, type ConfigValue } from './settingValue';
import { hiddenValue } from './shownValue';

export type { ResolvedConfig } from './configTable';

export interface ConfigResult {
  readonly config: ResolvedConfig;
  /** How brokers are spoken to, with the certificates and keys that the settings name. */
  readonly security: BrokerSecurity;
  /** Sentences about settings that have no effect or do not go well together. */
  readonly warnings: string[];
}

/** Wider than the table's own type, so that one loop can treat all kinds of settings. */
const SETTINGS: ReadonlyMap<string, Setting> = new Map(Object.entries<Setting>(CONFIG_TABLE));

/**
 * Checks the settings of a connector, fills in the defaults and reads the files that are named. Throws CONFIG_INVALID with
 * all faults at once.
 */
export function resolveConfig(input: unknown): ConfigResult {
  const faults: string[] = [];
  const given = givenProperties(input);
  const unknown = [...given.keys()].filter((name) => !SETTINGS.has(name) && !isExternalName(name));
  const values = new Map<string, ConfigValue | undefined>();
  readGivenValues(given, unknown, values, faults);
  fillDefaults(given, values);
  faults.push(...combinationFaults(given, values));
  const warnings = unknownNameWarnings(unknown);
  const security = brokerSecurity(securityInput({ given, unknown, values, faults, warnings }));
  if (faults.length > 0) throw configError(faults);
  // The loops have put a checked value behind each name of the table.
  const config = Object.freeze(Object.fromEntries(values)) as unknown as ResolvedConfig;
  return { config, security, warnings: [...warnings, ...combinationWarnings(given, config)] };
}

function securityInput(parts: {
  readonly given: ReadonlyMap<string, unknown>;
  readonly unknown: readonly string[];
  readonly values: ReadonlyMap<string, ConfigValue | undefined>;
  readonly faults: string[];
  readonly warnings: string[];
}): SecurityInput {
  const { given, unknown, values, faults, warnings } = parts;
  return {
    isGiven: (name) => given.has(name),
    valueOf: (name) => {
      const value = values.get(name);
      return typeof value === 'string' ? value : undefined;
    },
    hintFor: (name) => meantHint(name, unknown),
    ...{ faults, warnings },
  };
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
  // Not shown: it may have passwords.
  const hint = types.isPromise(input) ? '; it is a promise, so "await" it first' : '';
  throw configError([
    `The configuration itself: got ${hiddenValue(input)}; expected an object with property names as keys${hint}`,
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
      faults.push(`${name}: is missing${meantHint(name, unknown)}; expected ${expectedText(setting)}`);
    }
  }
}

function fillDefaults(
  given: ReadonlyMap<string, unknown>,
  values: Map<string, ConfigValue | undefined>,
): void {
  for (const [name, setting] of SETTINGS) {
    if (given.has(name) || setting.default === 'required') continue;
    if (setting.default === 'generated' || setting.default === 'none') {
      values.set(name, undefined);
    } else if (typeof setting.default !== 'object') {
      values.set(name, setting.default);
    } else if ('text' in setting.default) {
      values.set(name, setting.default.text);
    } else if ('trueIf' in setting.default) {
      values.set(name, values.get(setting.default.trueIf) === setting.default.is);
    } else {
      const { from, atLeast } = setting.default;
      const value = values.get(from);
      // The other one was refused: then this has no value either, and is not worth a fault of its own.
      if (value === undefined) continue;
      values.set(name, typeof value === 'number' ? Math.max(value, atLeast ?? value) : value);
    }
  }
}

/** Names the unknown property that is probably meant to be a missing one. */
function meantHint(name: string, unknown: readonly string[]): string {
  const meant = unknown.find((other) => similarName(other) === name);
  return meant === undefined ? '' : ` (there is ${excerpt(meant)}, is that meant?)`;
}
