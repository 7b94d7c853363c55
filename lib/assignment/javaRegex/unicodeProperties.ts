import { ALL_TOPIC_CHARS, type TopicChars } from './topicChars';

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/** Names of general categories with the topic characters that are in them; also written with "Is" before the name. */
const CATEGORIES: Readonly<Record<string, TopicChars>> = {
  L: UPPER + LOWER,
  LC: UPPER + LOWER,
  Lu: UPPER,
  Ll: LOWER,
  N: DIGITS,
  Nd: DIGITS,
  P: '-._',
  Pc: '_',
  Pd: '-',
  Po: '.',
};

const CATEGORIES_WITHOUT_ANY = new Set(
  'Lt Lm Lo M Mn Me Mc Nl No Ps Pe Pi Pf S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Cs Cn'.split(' '),
);

/** The classes of POSIX, which are those of ASCII in Java. */
const POSIX: Readonly<Record<string, TopicChars>> = {
  Lower: LOWER,
  Upper: UPPER,
  ASCII: ALL_TOPIC_CHARS,
  Alpha: UPPER + LOWER,
  Digit: DIGITS,
  Alnum: DIGITS + UPPER + LOWER,
  Punct: '-._',
  Graph: ALL_TOPIC_CHARS,
  Print: ALL_TOPIC_CHARS,
  Blank: '',
  Cntrl: '',
  XDigit: `${DIGITS}ABCDEFabcdef`,
  Space: '',
};

/** The topic characters of `\p{name}`; undefined for a name that is not known here. */
export function unicodeProperty(name: string): TopicChars | undefined {
  if (Object.hasOwn(POSIX, name)) return POSIX[name];
  const category = name.replace(/^Is/, '');
  if (CATEGORIES_WITHOUT_ANY.has(category)) return '';
  return Object.hasOwn(CATEGORIES, category) ? CATEGORIES[category] : undefined;
}
