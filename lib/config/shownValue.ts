import { excerpt } from '../excerpt';

/** A value of any kind for a message, with its type: `"abc" (string)`, `NaN (number)`, `null`. Never throws. */
export function shownValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `${excerpt(value)} (string)`;
    case 'bigint':
      return `${value}n (bigint)`;
    case 'number':
    case 'boolean':
    case 'symbol':
      return `${String(value)} (${typeof value})`;
    case 'undefined':
      return 'undefined';
    case 'function':
      return 'a function';
    case 'object':
      return value === null ? 'null' : shownObject(value);
  }
}

/** A value of which nothing may be seen but its kind: `a text of 12 characters (hidden)`. */
export function hiddenValue(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `a text of ${value.length} characters (hidden)`;
  if (Array.isArray(value)) return 'an array (hidden)';
  return typeof value === 'object' ? 'an object (hidden)' : `a ${typeof value} (hidden)`;
}

/** The text of a value of any kind, of which a message may show a part. Never throws. */
export function wholeText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return jsonOf(value) ?? '';
}

function shownObject(value: object): string {
  const json = jsonOf(value);
  if (json === undefined) return 'an object';
  const shown = json.length > 80 ? `${json.slice(0, 80)}...` : json;
  return `${shown} (${Array.isArray(value) ? 'array' : 'object'})`;
}

function jsonOf(value: object): string | undefined {
  try {
    const json: unknown = JSON.stringify(value);
    return typeof json === 'string' ? json : undefined;
  } catch {
    // Circular, with a bigint inside, or with a toJSON that throws.
    return undefined;
  }
}
