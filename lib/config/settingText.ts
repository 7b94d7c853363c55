import { MAX_INT, type Setting } from './settingTypes';

/** What a value must be, in words that follow "expected". */
export function expectedText(setting: Setting): string {
  switch (setting.type) {
    case 'int':
      return `a whole number from ${setting.min} to ${MAX_INT}`;
    case 'boolean':
      return 'true or false';
    case 'choice':
      return setting.choices.map((choice) => `"${choice}"`).join(' or ');
    case 'string':
      return setting.expected;
  }
}

/** What a value is if none is given; names of other properties are in back-ticks. */
export function defaultText(setting: Setting): string {
  const value: Setting['default'] = setting.default;
  if (value === 'required') return 'none, it is required';
  if (typeof value !== 'object') return String(value);
  if ('text' in value) return value.text;
  if ('trueIf' in value) return `true if \`${value.trueIf}\` is ${value.is}, else false`;
  const from = `the value of \`${value.from}\``;
  return value.atLeast === undefined ? from : `${from}, but at least ${value.atLeast}`;
}

/** What is allowed, as documentation says it. */
export function rangeText(setting: Setting): string {
  if (setting.type !== 'int') return expectedText(setting);
  const limits = `${setting.min} to ${setting.notBelow === undefined ? MAX_INT : `${MAX_INT}, not below \`${setting.notBelow}\``}`;
  return setting.unit === undefined ? limits : `${limits} (${setting.unit})`;
}
