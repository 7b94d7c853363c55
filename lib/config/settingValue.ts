import { javaTrim } from '../javaTrim';
import { expectedText } from './settingText';
import {
  MAX_INT,
  type ChoiceSetting,
  type IntSetting,
  type Setting,
  type StringSetting,
} from './settingTypes';
import { hiddenValue, shownValue, wholeText } from './shownValue';

export type ConfigValue = string | number | boolean;

/** A checked value, or what is wrong with the given one. */
export type ReadValue = { readonly value: ConfigValue } | { readonly fault: string };

/** A checked value, or why it is none if there is more to say than what is expected. */
type Checked = { readonly value: ConfigValue } | { readonly why: string | undefined };

const REFUSED: Checked = { why: undefined };

/**
 * Checks one given value, be it typed or the text of a properties file. Blanks around a text fall away, as they do in JVM
 * connectors from 0.9 on, but not around a secret.
 */
export function readSettingValue(setting: Setting, raw: unknown): ReadValue {
  const isText = typeof raw === 'string' && !(setting.type === 'string' && setting.secret === true);
  const checked = check(setting, isText ? javaTrim(raw) : raw);
  return 'value' in checked ? checked : { fault: faultText(setting, raw, checked.why) };
}

function check(setting: Setting, given: unknown): Checked {
  switch (setting.type) {
    case 'int':
      return checkInt(setting, given);
    case 'boolean':
      return checkBoolean(given);
    case 'choice':
      return checkChoice(setting, given);
    case 'string':
      return checkString(setting, given);
  }
}

function checkInt(setting: IntSetting, given: unknown): Checked {
  const number = typeof given === 'string' ? numberOfText(given) : given;
  if (typeof number !== 'number' || !Number.isInteger(number)) return REFUSED;
  if (number < setting.min || number > MAX_INT) return REFUSED;
  // Adding makes a plain zero of a negative one.
  return { value: number + 0 };
}

/** As Java reads an int. */
function numberOfText(text: string): number {
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
}

function checkBoolean(given: unknown): Checked {
  if (typeof given === 'boolean') return { value: given };
  // Exactly these, as in the JVM: a mistyped "True" must not quietly mean false.
  return given === 'true' || given === 'false' ? { value: given === 'true' } : REFUSED;
}

function checkChoice(setting: ChoiceSetting, given: unknown): Checked {
  if (typeof given !== 'string') return REFUSED;
  const spelled = (word: string): string => (setting.ignoreCase === true ? word.toLowerCase() : word);
  const word = spelled(given);
  const choice = setting.choices.find((one) => spelled(one) === word);
  return choice === undefined ? { why: answerTo(setting, given) } : { value: choice };
}

function answerTo({ choices, answers = {} }: ChoiceSetting, given: string): string | undefined {
  const isMeant = (other: string): boolean => other.toLowerCase() === given.toLowerCase();
  const answer = Object.entries(answers).find(([wrong]) => isMeant(wrong));
  if (answer !== undefined) return answer[1];
  const choice = choices.find(isMeant);
  return choice && `it must be written "${choice}", since upper and lower case are not the same here`;
}

function checkString(setting: StringSetting, given: unknown): Checked {
  if (typeof given !== 'string') return { why: 'it is not a text' };
  const wrong = setting.fault(given);
  return wrong === undefined ? { value: given } : { why: wrong };
}

function faultText(setting: Setting, raw: unknown, why: string | undefined): string {
  const reason = why === undefined ? '' : `: ${why}`;
  const got = isSecret(setting, raw) ? hiddenValue(raw) : shownValue(raw);
  return `got ${got}${reason}; expected ${expectedText(setting)}`;
}

function isSecret(setting: Setting, raw: unknown): boolean {
  if (setting.type !== 'string') return false;
  if (setting.secret === true) return true;
  return setting.secretWithAt === true && wholeText(raw).includes('@');
}
