import { Properties } from 'properties-file/parser';

/** What is wrong in the text of a properties file. The reason shows none of the text: there may be passwords. */
export class PropertiesTextFault extends Error {
  constructor(lineNumber: number, reason: string) {
    super(`line ${lineNumber}: ${reason}`);
  }
}

const MALFORMED_ESCAPE =
  '"\\u" needs four hexadecimal digits behind it (a backslash itself is written "\\\\")';

/** That of UTF-8, read as ISO-8859-1. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';

/** Names and values as java.util.Properties reads them; the last of two equal names wins. */
export function parsePropertiesText(text: string): Map<string, string> {
  // For Java it is a part of the first name, which is then not known.
  if (text.startsWith(BYTE_ORDER_MARK)) {
    throw new PropertiesTextFault(1, 'it begins with a byte order mark; write it without one');
  }
  const zero = text.indexOf('\0');
  if (zero !== -1) {
    throw new PropertiesTextFault(linesOf(text.slice(0, zero)).length, 'it has the character U+0000');
  }
  const properties = new Map<string, string>();
  for (const { key, value, rawLines, startingLineNumber } of propertiesOrFault(text)) {
    // Java starts anew behind such a beginning, and the parser does not: a "#" there is a comment or a name.
    if (/^[ \t\f]*\\$/.test(rawLines[0] ?? '')) {
      throw new PropertiesTextFault(startingLineNumber, 'it begins with the "\\" of a line that goes on');
    }
    properties.set(key, value);
  }
  return properties;
}

function propertiesOrFault(text: string): ReturnType<typeof propertiesOf> {
  try {
    return propertiesOf(text);
  } catch (error) {
    const line = lineWithMalformedEscape(text);
    if (line === undefined) throw error;
    throw new PropertiesTextFault(line, MALFORMED_ESCAPE);
  }
}

/** The parser does not say where it has failed. */
function lineWithMalformedEscape(text: string): number | undefined {
  const lines = linesOf(text);
  // Without its escapes, whatever they are, the text has the same properties on the same lines.
  const wrong = propertiesOf(text.replaceAll('\\u', '\\-')).find(({ startingLineNumber, endingLineNumber }) =>
    isRefused(lines.slice(startingLineNumber - 1, endingLineNumber).join('\n')),
  );
  return wrong?.startingLineNumber;
}

function isRefused(text: string): boolean {
  try {
    propertiesOf(text);
    return false;
  } catch {
    return true;
  }
}

function propertiesOf(text: string): ReturnType<Properties['getProperties']> {
  return new Properties(text).getProperties();
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}
