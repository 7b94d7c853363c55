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

/** Checks one given value, be it typed or the text of a properties file. */
export function readSettingValue(setting: Setting, raw: unknown): ReadValue {
  switch (setting.type) {
    case 'int':
      return readInt(setting, raw);
    case 'boolean':
      return readBoolean(setting, raw);
    case 'choice':
      return readChoice(setting, raw);
    case 'string':
      return readString(setting, raw);
  }
}

function readInt(setting: IntSetting, raw: unknown): ReadValue {
  const number = typeof raw === 'string' ? numberOfText(raw) : raw;
  if (typeof number !== 'number' || !Number.isInteger(number)) return refused(setting, raw);
  if (number < setting.min || number > MAX_INT) return refused(setting, raw);
  // Adding makes a plain zero of a negative one.
  return { value: number + 0 };
}

/** As Java reads an int, with blanks around it allowed. */
function numberOfText(text: string): number {
  const trimmed = text.trim();
  return /^[+-]?[0-9]+$/.test(trimmed) ? Number(trimmed) : Number.NaN;
}

function readBoolean(setting: Setting, raw: unknown): ReadValue {
  if (typeof raw === 'boolean') return { value: raw };
  // Exactly these, as in the JVM: a mistyped "True" must not quietly mean false.
  if (raw === 'true' || raw === 'false') return { value: raw === 'true' };
  return refused(setting, raw);
}

function readChoice(setting: ChoiceSetting, raw: unknown): ReadValue {
  if (typeof raw !== 'string') return refused(setting, raw);
  const spelled = (word: string): string => (setting.ignoreCase === true ? word.toLowerCase() : word);
  const word = spelled(raw);
  const choice = setting.choices.find((one) => spelled(one) === word);
  if (choice !== undefined) return { value: choice };
  return refused(setting, raw, answerTo(setting, raw));
}

function answerTo({ choices, answers = {} }: ChoiceSetting, raw: string): string | undefined {
  const isMeant = (other: string): boolean => other.toLowerCase() === raw.toLowerCase();
  const answer = Object.entries(answers).find(([wrong]) => isMeant(wrong));
  if (answer !== undefined) return answer[1];
  const choice = choices.find(isMeant);
  return choice && `it must be written "${choice}", since upper and lower case are not the same here`;
}

function readString(setting: StringSetting, raw: unknown): ReadValue {
  if (typeof raw !== 'string') return refused(setting, raw, 'it is not a text');
  const wrong = setting.fault(raw);
  return wrong === undefined ? { value: raw } : refused(setting, raw, wrong);
}

function refused(setting: Setting, raw: unknown, why?: string): { readonly fault: string } {
  const reason = why === undefined ? '' : `: ${why}`;
  const got = isSecret(setting, raw) ? hiddenValue(raw) : shownValue(raw);
  return { fault: `got ${got}${reason}; expected ${expectedText(setting)}` };
}

function isSecret(setting: Setting, raw: unknown): boolean {
  if (setting.type !== 'string') return false;
  if (setting.secret === true) return true;
  return setting.secretWithAt === true && wholeText(raw).includes('@');
}
