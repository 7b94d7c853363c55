import { illegalPathCharacter } from '../zookeeper/paths';

/** A request carries names with a length of 16 bits. */
const MAX_NAME_LENGTH = 32_767;

/**
 * Names that go into requests and metrics: the characters that Kafka's brokers and JVM consumers allow.
 * A group's name is also the name of a node and so has to be there, and must not be a relative path.
 */
export function nameFault(text: string, options: { readonly mayBeEmpty: boolean }): string | undefined {
  if (text.length > MAX_NAME_LENGTH)
    return `it has ${text.length} characters, the limit is ${MAX_NAME_LENGTH}`;
  if (options.mayBeEmpty) return hasOnlyNameCharacters(text) ? undefined : badCharacter(text);
  if (text === '') return 'it is empty';
  if (text === '.' || text === '..') return 'it cannot be the name of a ZooKeeper node';
  return hasOnlyNameCharacters(text) ? undefined : badCharacter(text);
}

/**
 * The JVM takes any text as a member's name. It becomes the end of a node's name behind the group's, so this refuses
 * only what a ZooKeeper path cannot hold, and blanks at the ends, which make two names that look the same.
 */
export function idFault(text: string): string | undefined {
  if (text === '') return 'it is empty, so that all members would have the same name';
  if (text.length > MAX_NAME_LENGTH)
    return `it has ${text.length} characters, the limit is ${MAX_NAME_LENGTH}`;
  if (text !== text.trim()) return 'it has a blank at its start or end';
  const bad = text.includes('/') ? '/' : illegalPathCharacter(text);
  return bad === undefined
    ? undefined
    : `the name of a ZooKeeper node cannot have the character ${shown(bad)}`;
}

function hasOnlyNameCharacters(text: string): boolean {
  return /^[a-zA-Z0-9._-]*$/.test(text);
}

function badCharacter(text: string): string {
  return `it has the character ${shown(/[^a-zA-Z0-9._-]/u.exec(text)?.[0] ?? '')}`;
}

/** Blanks and what a terminal does not show go by their number. */
function shown(char: string): string {
  if (/[^\s\p{C}]/u.test(char)) return `"${char}"`;
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
