import { parsePropertiesText, PropertiesTextFault } from '../../lib/config/propertiesText';
import { resolveConfig } from '../../lib/config/resolveConfig';
import { ConnectorError } from '../../lib/errors';
import { CONFIG_GETTERS, type SharedName } from '../support/jvm/configGetters';
import {
  CONFIG_RELEASES,
  KNOWN_DIFFERENCES,
  type DifferenceKind,
  type KnownDifference,
} from '../support/jvm/configDifferences';
import {
  BAD_CHARACTERS,
  COMBINATIONS,
  eachWith,
  GOOD_NAMES,
  MEMBER_NAMES,
  namesOf,
  NUMBERS,
  REQUIRED,
  SERVERS,
  SWITCHES,
  WORDS,
  type Properties,
} from '../support/jvm/configInputs';
import { ConfigOracle, type JvmAnswer } from '../support/jvm/ConfigOracle';
import { randomOf } from '../support/randomOf';
import { report } from '../support/report';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

/** As the text of a properties file; each character by its number, so that none means anything there. */
function fileOf(properties: Properties): Buffer {
  const escaped = (text: string): string =>
    Array.from({ length: text.length }, (_, index) => {
      return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }).join('');
  const lines = Object.entries(properties).map(([name, value]) => `${escaped(name)}=${escaped(value)}\n`);
  return Buffer.from(lines.join(''), 'latin1');
}

/** Values by the names of the JVM's getters, or why there are none. */
function ourAnswer(file: Buffer): JvmAnswer {
  try {
    const given = Object.fromEntries(parsePropertiesText(file.toString('latin1')));
    const { config } = resolveConfig(given);
    const values = Object.entries(CONFIG_GETTERS).flatMap(([name, getter]) => {
      const value = config[name as SharedName];
      return value === undefined ? [] : ([[getter, String(value)]] as const);
    });
    return new Map(values);
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    return { refused: error.message };
  }
}

/** How they differ; undefined if they do not. What the JVM has no getter for is not compared. */
function differenceOf(
  ours: JvmAnswer,
  theirs: JvmAnswer,
): { kind: DifferenceKind; text: string } | undefined {
  if ('refused' in ours) {
    return 'refused' in theirs ? undefined : { kind: 'ours refuses', text: ours.refused };
  }
  if ('refused' in theirs) return { kind: 'the JVM refuses', text: theirs.refused };
  const getters = Object.values(CONFIG_GETTERS).filter(
    (getter) => theirs.has(getter) || getter === 'consumerId',
  );
  const wrong = getters.filter((getter) => ours.get(getter) !== theirs.get(getter));
  if (wrong.length === 0) return undefined;
  const shown = wrong.map((getter) => `${getter}: ours ${ours.get(getter)}, theirs ${theirs.get(getter)}`);
  return { kind: 'another value', text: shown.join('; ') };
}

describe('ConsumerConfig', () => {
  const met = new Set<KnownDifference>();

  describe.each(CONFIG_RELEASES)('of release %s', (release) => {
    let oracle: ConfigOracle;
    const counts = { inputs: 0, refused: 0, different: 0 };

    beforeAll(async () => {
      oracle = await ConfigOracle.start(release);
    });

    afterAll(async () => {
      await oracle[Symbol.asyncDispose]();
      report(
        `ConsumerConfig of ${release}: ${counts.inputs} inputs, ${counts.refused} refused by both, ` +
          `${counts.different} different on purpose`,
      );
    });

    /** Differences that the table does not have. */
    async function unknownDifferences(inputs: readonly Properties[]): Promise<object[]> {
      const unknown: object[] = [];
      for (const given of inputs) {
        const file = fileOf(given);
        const ours = ourAnswer(file);
        counts.inputs += 1;
        const difference = differenceOf(ours, await oracle.config(file));
        if (difference === undefined) {
          counts.refused += 'refused' in ours ? 1 : 0;
          continue;
        }
        const known = KNOWN_DIFFERENCES.filter(
          ({ kind, where }) => kind === difference.kind && where(given, release),
        );
        for (const one of known) met.add(one);
        counts.different += 1;
        if (known.length === 0) unknown.push({ given, ...difference });
      }
      return unknown;
    }

    it('R18: has a value for each property, and the same defaults', async () => {
      expect(await unknownDifferences([REQUIRED])).toEqual([]);
      const values = await oracle.config(fileOf(REQUIRED));
      const missing = Object.values(CONFIG_GETTERS).filter(
        (getter) => !('refused' in values) && !values.has(getter),
      );
      expect(missing).toEqual(release === '0.8.2.2' ? ['consumerId', 'fetchMaxBytes'] : ['consumerId']);
    });

    it('R18: takes the same numbers', async () => {
      expect(await unknownDifferences(eachWith(namesOf('int'), NUMBERS))).toEqual([]);
    });

    it('R18: takes the same switches', async () => {
      expect(await unknownDifferences(eachWith(namesOf('boolean'), SWITCHES))).toEqual([]);
    });

    it('R18: takes the same words', async () => {
      expect(await unknownDifferences(eachWith(namesOf('choice'), WORDS))).toEqual([]);
    });

    it('R18: takes the same names of members and servers', async () => {
      expect(await unknownDifferences(eachWith(['consumer.id'], MEMBER_NAMES))).toEqual([]);
      expect(await unknownDifferences(eachWith(['zookeeper.connect'], SERVERS))).toEqual([]);
    });

    it('R18: takes the same combinations, and has the same defaults that follow another property', async () => {
      expect(await unknownDifferences(COMBINATIONS)).toEqual([]);
    });

    it.each([
      ['ConfigTest.testInvalidGroupIds', 'group.id'],
      ['ConfigTest.testInvalidClientIds', 'client.id'],
    ] as const)('%s: only letters, digits, ".", "_" and "-" are allowed in %s', async (_test, name) => {
      const wrong = BAD_CHARACTERS.map((character) => `Is${character}illegal`);
      const atTheEnds = BAD_CHARACTERS.flatMap((character) => [character, `x${character}`]);
      const all = [...wrong, ...atTheEnds, ...GOOD_NAMES, '', '.', '..'];
      expect(await unknownDifferences(eachWith([name], all))).toEqual([]);
      const taken = [...wrong, ...GOOD_NAMES].filter(
        (value) => !('refused' in ourAnswer(fileOf({ ...REQUIRED, [name]: value }))),
      );
      expect(taken).toEqual(GOOD_NAMES);
    });
  });

  it('differs in all that the table of differences says', () => {
    expect(KNOWN_DIFFERENCES.filter((difference) => !met.has(difference)).map(({ why }) => why)).toEqual([]);
  });
});

describe('java.util.Properties', () => {
  /** A logical line that begins with the sign of going on: ours refuses it. It may also stand where a line goes on. */
  const LONE_BACKSLASH = /(?:^|[\r\n])[ \t\f]*\\(?:[\r\n]|$)/;
  const PIECES = [
    ...[
      '\\',
      '\\',
      '\\\n',
      '\\\r\n',
      '\n',
      '\r',
      '\r\n',
      ' ',
      '\t',
      '\f',
      '=',
      ':',
      '#',
      '!',
      'a',
      'key',
      'u',
      '0',
      'é',
    ],
    ...[
      '\\u00e9',
      '\\u003D',
      '\\u12',
      '\\u',
      '\\n',
      '\\t',
      '\\f',
      '\\r',
      '\\q',
      '\\=',
      '\u00a0',
      '\u0085',
      'ÿ',
    ],
  ];
  const FILES = 3000;

  function ourProperties(text: string): object {
    try {
      return Object.fromEntries([...parsePropertiesText(text)].sort());
    } catch (error) {
      if (!(error instanceof PropertiesTextFault)) throw error;
      return { refused: true };
    }
  }

  it('reads the same names and values from generated files, and refuses the same', async () => {
    await using oracle = await ConfigOracle.start('0.8.2.2');
    const random = randomOf(20_060_523);
    const counts = { same: 0, refused: 0, leftOut: 0 };
    for (let n = 0; n < FILES; n++) {
      const length = 1 + Math.floor(random() * 16);
      const pieces = Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)] ?? '');
      const text = pieces.join('');
      const ours = ourProperties(text);
      if ('refused' in ours && LONE_BACKSLASH.test(text)) {
        counts.leftOut += 1;
        continue;
      }
      const answer = await oracle.load(Buffer.from(text, 'latin1'));
      const theirs = 'refused' in answer ? { refused: true } : Object.fromEntries([...answer].sort());
      expect({ text, properties: ours }).toEqual({ text, properties: theirs });
      counts['refused' in ours ? 'refused' : 'same'] += 1;
    }
    expect(counts.same).toBeGreaterThan(FILES / 3);
    expect(counts.refused).toBeGreaterThan(FILES / 10);
    report(
      `java.util.Properties: ${counts.same} files read alike, ${counts.refused} refused by both, ` +
        `${counts.leftOut} left out, which begin a line with the sign of going on`,
    );
  });
});
