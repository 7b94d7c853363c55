import { ConnectorError } from '../errors';

/** A regex of a wildcard subscription that this package cannot evaluate as a JVM member does. */
class UntranslatableRegex extends Error {}

/** Texts that mean the same in a Java and in a JavaScript regex, outside of a class. */
const SAME_TOKENS = [
  /\((?:\?[:=!]|(?!\?))/y, // no names, no flags, nothing that looks back
  /[*+?]\??(?![*+?{])/y, // a second one would be possessive in Java
  /\{[0-9]+\}\??(?![*+?{])/y,
  /\\[dDwWsSbBtnrf]/y,
  /\\[^a-zA-Z0-9]/y, // a character without special meaning
  /[^\\*+?{}[\]()]/y,
  /\)/y,
];

/** The same inside of a class. Java takes `[` as a class in it and `&&` as intersection. */
const SAME_CLASS_TOKENS = [/\\[dDwWsStnrf]/y, /\\[^a-zA-Z0-9]/y, /[^\\[\]&]/y, /&(?!&)/y];

/**
 * The matcher for whole topic names of a wildcard subscription. Java and JavaScript read most regexes in the same way;
 * those that they would not, or that cannot be told, are refused: a member that evaluates a peer's regex differently
 * claims partitions that belong to others.
 */
export function topicPattern(subscribed: string, path?: string): RegExp {
  const text = filterText(subscribed);
  try {
    const regex = translated(text);
    // Alone first: between the brackets below, "a)(b" would be two proper groups.
    new RegExp(regex);
    return new RegExp(`^(?:${regex})$`);
  } catch (error) {
    if (!(error instanceof UntranslatableRegex || error instanceof SyntaxError)) throw error;
    throw new ConnectorError(
      'REGISTRATION_INVALID',
      `The topic filter ${JSON.stringify(subscribed)}${path === undefined ? '' : ` in ${path}`} ` +
        `cannot be evaluated as a JVM member does: ${error.message}`,
      { ...(path === undefined ? {} : { path }), cause: error },
    );
  }
}

/** What the JVM makes of a filter's text before it takes it as a regex: commas separate alternatives, quotes fall away. */
function filterText(text: string): string {
  return text
    .replaceAll(',', '|')
    .replaceAll(' ', '')
    .replace(/^["']+|["']+$/g, '');
}

function translated(regex: string): string {
  let result = '';
  let at = 0;
  while (at < regex.length) {
    const [read, text] = regex.startsWith('\\Q', at)
      ? quotedPart(regex, at)
      : regex[at] === '['
        ? same(classPart(regex, at))
        : same(tokenPart(regex, at, SAME_TOKENS));
    result += text;
    at += read.length;
  }
  return result;
}

function same(text: string): [read: string, text: string] {
  return [text, text];
}

/** `\Q...\E`: everything between is literal; without `\E` up to the end. */
function quotedPart(regex: string, start: number): [read: string, text: string] {
  const end = regex.indexOf('\\E', start + 2);
  const literal = end === -1 ? regex.slice(start + 2) : regex.slice(start + 2, end);
  const read = end === -1 ? regex.slice(start) : regex.slice(start, end + 2);
  return [read, literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')];
}

function classPart(regex: string, start: number): string {
  let at = start + (regex[start + 1] === '^' ? 2 : 1);
  // Java and JavaScript disagree about a class that starts with its end.
  if (regex[at] === ']') throw new UntranslatableRegex('there is a "]" at the start of a class');
  while (at < regex.length && regex[at] !== ']') at += tokenPart(regex, at, SAME_CLASS_TOKENS).length;
  return regex.slice(start, at + 1);
}

function tokenPart(regex: string, at: number, tokens: readonly RegExp[]): string {
  for (const token of tokens) {
    token.lastIndex = at;
    const match = token.exec(regex);
    if (match !== null) return match[0];
  }
  throw new UntranslatableRegex(
    `the part ${JSON.stringify(regex.slice(at, at + 10))} has no equal in JavaScript`,
  );
}
