import { refuseText } from '../parseFault';
import { jaasTokens } from './jaasTokens';

export interface JaasEntry {
  /** Name of the class of the login module. */
  readonly module: string;
  readonly options: ReadonlyMap<string, string>;
  /** The names of options that are there more than once; as in Java, the last value is the one. */
  readonly repeated: ReadonlySet<string>;
}

/** With one login module they all mean the same, and the Kafka clients take each. */
const CONTROL_FLAGS = ['REQUIRED', 'REQUISITE', 'SUFFICIENT', 'OPTIONAL'];

/** `<module> <flag> <name>=<value> … ;`, exactly one, as the Kafka clients read it. */
export function parseJaasEntry(text: string): JaasEntry {
  const tokens = jaasTokens(text);
  if (tokens.length === 0) refuse('it is empty');
  const texts = tokens.map((token) => (token.kind === 'text' ? token.text : undefined));
  const isCharacter = (at: number, wanted: string): boolean => {
    const token = tokens[at];
    return token?.kind === 'character' && token.character === wanted;
  };
  const [module, flag] = texts;
  if (module === undefined) refuse('it does not begin with the name of a login module');
  if (flag === undefined || !CONTROL_FLAGS.includes(flag.toUpperCase())) {
    refuse('the login module is not followed by "required"');
  }
  const options = new Map<string, string>();
  const repeated = new Set<string>();
  let at = 2;
  for (; at < tokens.length && !isCharacter(at, ';'); at += 3) {
    const [name, value] = [texts[at], texts[at + 2]];
    if (name === undefined || !isCharacter(at + 1, '=') || value === undefined) {
      refuse(
        `behind "required" and ${options.size} of its options there is something else than name="value"; a value with ` +
          `other characters than letters and digits has to be in quotes, in which " and \\ are written \\" and \\\\`,
      );
    }
    if (options.has(name)) repeated.add(name);
    options.set(name, value);
  }
  if (at >= tokens.length) {
    refuse('it does not end with a semicolon; outside of quotes "/" begins a comment, which may hide one');
  }
  if (at < tokens.length - 1) {
    refuse('there is something behind the semicolon; only one login module can be used');
  }
  return { module, options, repeated };
}

function refuse(reason: string): never {
  refuseText('sasl.jaas.config', reason);
}
