/**
 * `\Q...\E` in a regex is replaced before anything else is looked at, as in Java: what is between is written with
 * backslashes. So a quantifier behind it repeats only the last character, and a quote may be part of a class. Without
 * `\E` the quote goes to the end.
 */
export function withoutQuotes(regex: string): string {
  return regex.replace(/\\Q(.*?)(?:\\E|$)|\\./gsu, (part: string, quoted: string | undefined) =>
    quoted === undefined ? part : escaped(quoted),
  );
}

function escaped(quoted: string): string {
  return quoted.replace(/[^0-9A-Za-z\u0080-\u{10ffff}]/gu, '\\$&').replace(/^[0-9]/, '\\x3$&'); // it would belong to an escape before the quote
}
