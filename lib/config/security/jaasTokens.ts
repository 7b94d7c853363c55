/** A word or a quoted text, or one of the characters that stand for themselves. */
export type JaasToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'character'; readonly character: string };

/** Escapes besides the octal ones; any other character behind a backslash stands for itself. */
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** All but blanks, quotes, "/", ";", "=", and U+0081 to U+009F, which Java forgets, so that they stand for themselves. */
const WORD = /[!#-&(-.0-:<>-\u0080\u00a0-\uffff]+/y;
/** As in Java, control characters, too. */
const BLANKS = /[^!-\uffff]+/y;
/** A slash alone begins a comment, too, even with the end of the line right behind it, which then belongs to it. */
const COMMENT = /\/\*[^]*?(?:\*\/|$)|\/[^]?[^\n\r]*/y;
/** Also ends at the end of its line, or of all. */
const QUOTED = /(["'])((?:\\[^]|(?!\1)[^\\\n\r])*)\\?(?:\1|(?=[\n\r])|$)/y;

/**
 * The tokens of a JAAS text as the Kafka clients have them from Java's StreamTokenizer, so that a text means here what it
 * means there, strange ones included.
 */
export function jaasTokens(text: string): JaasToken[] {
  const tokens: JaasToken[] = [];
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text) ?? undefined;
    if (match) at = pattern.lastIndex;
    return match;
  };
  while (at < text.length) {
    if (next(BLANKS) ?? next(COMMENT)) continue;
    const word = next(WORD);
    const quoted = word ? undefined : next(QUOTED);
    if (word) tokens.push({ kind: 'text', text: word[0] });
    else if (quoted) tokens.push({ kind: 'text', text: unescaped(quoted[2] ?? '') });
    else tokens.push({ kind: 'character', character: text.charAt(at++) });
  }
  return tokens;
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:([0-3][0-7]{0,2}|[4-7][0-7]?)|([^]))/g,
    (_, octal: string | undefined, char: string) =>
      octal === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(parseInt(octal, 8)),
  );
}
