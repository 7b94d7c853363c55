const EXCERPT_CHARS = 80;

/** A text of any origin for a message: quoted, escaped and shortened. */
export function excerpt(text: string): string {
  if (text.length <= EXCERPT_CHARS) return quoted(text);
  return `${quoted(text.slice(0, EXCERPT_CHARS))}... (${text.length} characters)`;
}

/** JSON leaves the upper control characters and the line separators of Unicode as they are; a terminal or log does not. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
