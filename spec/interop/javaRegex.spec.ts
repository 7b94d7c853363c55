import { filterText, topicPattern } from '../../lib/assignment/topicPattern';
import { ConnectorError } from '../../lib/errors';
import { RegexGenerator } from '../support/jvm/RegexGenerator';
import { RegexOracle, type JavaVerdict } from '../support/jvm/RegexOracle';
import { randomOf } from '../support/randomOf';
import { report } from '../support/report';

jest.setTimeout(180_000);

const SEED = 20_141_103;
const REGEXES = 4000;
const BATCH = 500;

/** As people write them for MirrorMaker and other members with a filter. */
const WHITELISTS = [
  ...[
    '.*',
    '.+',
    'orders',
    'orders,payments',
    'orders, payments , "shipments"',
    "'a.b,c.d'",
    'orders|payments',
  ],
  ...[
    'orders.*',
    '.*-staging',
    '.*\\.eu',
    'team-[a-z]+\\..*',
    '^orders.*$',
    '(orders|payments)\\.v[0-9]+',
    'v\\d\\d?',
  ],
  ...[
    '(?!__).*',
    '(?!__consumer_offsets|test).*',
    '^(?!test)(?!.*staging).*$',
    '^[^_].*',
    '[A-Z][A-Za-z0-9]*',
  ],
  ...[
    '(?i)orders.*',
    '(?i:team)-.*',
    '\\Qorders.v1\\E',
    '\\w+',
    '[\\w.-]+',
    '\\p{Alpha}+\\.\\p{Digit}+',
    '[^.]+\\.[^.]+',
  ],
  ...[
    '.*(?<!staging)',
    '(?!white1\\b)\\w+',
    '[a-z&&[^aeiou]]+[0-9]',
    '(?:[^.]++\\.)*v1',
    '.*\\.(eu|us)(-[a-z]+)?',
    'a{3}',
  ],
  ...[
    '(test|.*-test-.*|.*\\.test)',
    'logs\\.(?:web|app)\\..+',
    '(?=.*eu)(?=.*v1).*',
    '(?>orders|order).*',
    '*',
    'a{2,3}',
  ],
];

const NAMES = [
  ...[
    'orders',
    'payments',
    'shipments',
    'a.b',
    'axb',
    'c.d',
    'orders.v1',
    'payments.v22',
    'orders-staging',
    'a.eu',
  ],
  ...[
    'team-a.x',
    'team-7.x',
    'TEAM-a',
    'Orders',
    '__consumer_offsets',
    '_schemas',
    'test',
    'x-test-y',
    'logs.web.1',
  ],
  ...[
    'white1',
    'white2',
    'white-1',
    'b7',
    'a.b.c.v1',
    'us.v1.eu',
    'x.us-east',
    'order',
    'aaa',
    '-',
    '.',
    '_',
    'v12',
  ],
];

/** What the regexes by chance must have, and what is in those that had it. */
const CONSTRUCTS: Readonly<Record<string, RegExp>> = {
  'greedy quantifiers': /[^*+?}(][*+?}](?![*+?}])/,
  'lazy quantifiers': /[*+?}]\?/,
  'possessive quantifiers': /[*+?}]\+/,
  'atomic groups': /\(\?>/,
  'named groups': /\(\?<n/,
  'look-ahead': /\(\?[=!]/,
  'look-behind': /\(\?<[=!]/,
  flags: /\(\?[ismduxU-]+[:)]/,
  anchors: /\\[AzZbBG]|\$/,
  quotes: /\\Q/,
  classes: /\[(?!\^)/,
  'negated classes': /\[\^/,
  'nested classes': /\[[^\]]*\[/,
  intersections: /&&/,
  properties: /\\[pP]/,
  'escaped codes': /\\[0xuc]/,
  'escaped classes': /\\[dDwWsShHvV]/,
};

/** By chance, and short, so that a regex by chance may match it. */
function names(): string[] {
  const random = randomOf(SEED);
  const char = (): string => 'aaaabbbccABk12._-'.charAt(Math.floor(random() * 17));
  const short = Array.from({ length: 45 }, () => Array.from({ length: 1 + random() * 5 }, char).join(''));
  return [...new Set(['a', 'b', 'aa', 'ab', 'aab', ...short])];
}

interface Outcome {
  readonly regex: string;
  readonly java: JavaVerdict;
  readonly ours: string;
}

const isRefused = (verdict: string): boolean => verdict.startsWith('refused');

/** Is there a name that it matches, and one that it does not? */
const decides = ({ java }: Outcome): boolean => java.includes('0') && java.includes('1');

function ourVerdict(regex: string, topics: readonly string[]): string {
  try {
    const pattern = topicPattern(regex);
    return topics.map((topic) => (pattern.test(topic) ? '1' : '0')).join('');
  } catch (error) {
    if (!ConnectorError.is(error) || error.code !== 'REGISTRATION_INVALID') throw error;
    return `refused ${error.message}`;
  }
}

async function outcomes(regexes: readonly string[], topics: readonly string[]): Promise<Outcome[]> {
  await using oracle = await RegexOracle.start(topics);
  const all: Outcome[] = [];
  for (let at = 0; at < regexes.length; at += BATCH) {
    const batch = regexes.slice(at, at + BATCH);
    const java = await oracle.evaluate(batch.map(filterText));
    batch.forEach((regex, index) => {
      all.push({ regex, java: java[index] ?? '', ours: ourVerdict(regex, topics) });
    });
  }
  return all;
}

describe('the regexes of topic filters', () => {
  it.each([
    ['', (generator: RegexGenerator) => generator.next()],
    [' and have faults', (generator: RegexGenerator) => generator.nextMutated()],
  ])('that are made by chance%s match what they match in Java, or are refused', async (kind, make) => {
    const generator = new RegexGenerator(SEED);
    const topics = names();
    const regexes = Array.from({ length: REGEXES }, () => make(generator));
    // What takes Java long is of no use to anyone.
    const all = (await outcomes(regexes, topics)).filter(({ java }) => java !== 'slow');
    expect(all.length).toBeGreaterThan(REGEXES * 0.99);

    expect(all.filter(({ java, ours }) => !isRefused(ours) && ours !== java)).toEqual([]);

    const taken = all.filter(({ java }) => !isRefused(java));
    const equal = taken.filter(({ ours }) => !isRefused(ours));
    report(
      `Regexes by chance${kind}: ${equal.length} with equal results for ${topics.length} names (${equal.filter(decides).length} ` +
        `match some of them), ${all.length - taken.length} refused by Java, ${taken.length - equal.length} only here.`,
    );
    expect(taken.length - equal.length).toBeLessThan(taken.length * 0.2);
    for (const [construct, form] of Object.entries(CONSTRUCTS)) {
      const withIt = equal.filter((outcome) => form.test(outcome.regex) && decides(outcome));
      expect([construct, withIt.length > 10]).toEqual([construct, true]);
    }
  });

  it('that people write match what they match in Java; only what Java refuses is refused', async () => {
    const all = await outcomes(WHITELISTS, NAMES);
    const shown = all.map(({ regex, java, ours }) => [
      regex,
      isRefused(java) ? 'refused' : java,
      isRefused(ours) ? 'refused' : ours,
    ]);
    expect(shown.map(([regex, , ours]) => [regex, ours])).toEqual(
      shown.map(([regex, java]) => [regex, java]),
    );
    expect(all.filter(({ java }) => isRefused(java)).map(({ regex }) => regex)).toEqual(['*', 'a{2,3}']);
    expect(all.filter(decides).length).toBeGreaterThan(30);
  });
});
