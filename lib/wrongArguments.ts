import { shownValue } from './config/shownValue';
import { ConnectorError } from './errors';
import { didYouMean } from './unknownNames';
import { excerpt } from './excerpt';

/** CONFIG_INVALID for what an application has passed, with all that is wrong with it. */
export function wrongArguments(faults: readonly string[]): ConnectorError {
  return new ConnectorError('CONFIG_INVALID', faults.join('\n'), { faults });
}

/**
 * A fault for each name in an object of options that means nothing: a misspelt option would quietly have no effect.
 *
 * @param subject - such as `the options of the streams`
 * @throws ConnectorError CONFIG_INVALID if it is no object at all
 */
export function faultsOfNames(given: unknown, known: readonly string[], subject: string): string[] {
  if (typeof given !== 'object' || given === null) {
    throw wrongArguments([`${subject} must be an object, not ${shownValue(given)}`]);
  }
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  return unknown.map((name) => `${excerpt(name)} is none of ${subject}${rightNames(name, known)}`);
}

/** What follows a sentence about an unknown name: the known one that is like it, or else all that there are. */
export function rightNames(name: string, known: readonly string[]): string {
  const hint = didYouMean(name, known);
  return hint === undefined ? `; there are ${known.join(', ')}` : `. ${hint}`;
}
