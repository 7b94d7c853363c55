/**
 * Some of the characters that topic names are made of, as a text without repetition. What a regex says about any other
 * character makes no difference to a topic name, so a class of any size comes down to one of these.
 */
export type TopicChars = string;

/** All of them, by their code. */
export const ALL_TOPIC_CHARS: TopicChars =
  '-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** The length of the longest topic name. */
export const LONGEST_TOPIC = 255;

export function topicChars(isIn: (char: string) => boolean): TopicChars {
  return Array.from(ALL_TOPIC_CHARS).filter(isIn).join('');
}

export function complement(chars: TopicChars): TopicChars {
  return topicChars((char) => !chars.includes(char));
}

export function union(one: TopicChars, other: TopicChars): TopicChars {
  return topicChars((char) => one.includes(char) || other.includes(char));
}

export function intersection(one: TopicChars, other: TopicChars): TopicChars {
  return topicChars((char) => one.includes(char) && other.includes(char));
}

/** The characters from one code point to another; those of the other case, too, for a regex that ignores it. */
export function charsBetween(first: number, last: number, ignoreCase: boolean): TopicChars {
  const isBetween = (char: string): boolean => char.charCodeAt(0) >= first && char.charCodeAt(0) <= last;
  if (!ignoreCase) return topicChars(isBetween);
  return topicChars(
    (char) => isBetween(char.toLowerCase()) || isBetween(char.toUpperCase()) || isBetween(char),
  );
}

/** Whether each letter is there in both cases or in none. */
export function isClosedUnderCase(chars: TopicChars): boolean {
  return Array.from(chars).every(
    (char) => chars.includes(char.toLowerCase()) && chars.includes(char.toUpperCase()),
  );
}
