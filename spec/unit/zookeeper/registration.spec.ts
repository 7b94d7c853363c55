import fc from 'fast-check';
import {
  decodeRegistration,
  encodeRegistration,
  MAX_STREAMS_PER_MEMBER,
  type SubscriptionPattern,
} from '../../../lib/zookeeper/registration';
import { connectorErrorOf } from '../connectorErrorOf';

const PATH = '/consumers/g/ids/g_c1';
const decode = (text: string): ReturnType<typeof decodeRegistration> =>
  decodeRegistration(Buffer.from(text), PATH);

describe('encodeRegistration', () => {
  it('writes the bytes of a JVM member', () => {
    const subscription = new Map([
      ['a', 2],
      ['b.x', 1],
      ['c-y', 3],
    ]);
    expect(
      encodeRegistration({ subscription, pattern: 'static', timestampMs: 1795991333852 }).toString(),
    ).toBe(
      '{"version":1,"subscription":{"a":2,"b.x":1,"c-y":3},"pattern":"static","timestamp":"1795991333852"}',
    );
  });

  it('writes an empty subscription', () => {
    expect(
      encodeRegistration({ subscription: new Map(), pattern: 'static', timestampMs: 1 }).toString(),
    ).toBe('{"version":1,"subscription":{},"pattern":"static","timestamp":"1"}');
  });

  it('escapes a regex once', () => {
    const subscription = new Map([['b\\.x|"q"', 1]]);
    expect(encodeRegistration({ subscription, pattern: 'white_list', timestampMs: 1 }).toString()).toBe(
      '{"version":1,"subscription":{"b\\\\.x|\\"q\\"":1},"pattern":"white_list","timestamp":"1"}',
    );
  });

  it.each([
    ['a quote', '"', String.raw`\"`],
    ['a backslash', '\\', String.raw`\\`],
    ['a backslash before a letter', String.raw`\n`, String.raw`\\n`],
    ['a slash', '/', String.raw`\/`],
    ['a backspace', '\b', String.raw`\b`],
    ['a form feed', '\f', String.raw`\f`],
    ['a line feed', '\n', String.raw`\n`],
    ['a carriage return', '\r', String.raw`\r`],
    ['a tab', '\t', String.raw`\t`],
    ['another control character', '\u001f', String.raw`\u001f`],
    ['a control character behind the letters', '\u007f\u009f', String.raw`\u007f\u009f`],
  ])(
    'TopicFilterTest.testWildcardTopicCountGetTopicCountMapEscapeJson: escapes %s once, and reads it back',
    (_what, regex, escaped) => {
      const subscription = new Map([[regex, 3]]);
      const data = encodeRegistration({ subscription, pattern: 'white_list', timestampMs: 1 });
      expect(data.toString()).toContain(`"subscription":{"${escaped}":3}`);
      expect(decodeRegistration(data, PATH).subscription).toEqual(subscription);
    },
  );

  it('keeps the order of topics whose names are digits', () => {
    const subscription = new Map([
      ['b', 1],
      ['7', 2],
    ]);
    expect(encodeRegistration({ subscription, pattern: 'static', timestampMs: 1 }).toString()).toContain(
      '{"b":1,"7":2}',
    );
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity, MAX_STREAMS_PER_MEMBER + 1])(
    'never writes %d streams, which would stop the whole group',
    (streams) => {
      const error = connectorErrorOf(() =>
        encodeRegistration({ subscription: new Map([['t', streams]]), pattern: 'static', timestampMs: 1 }),
      );
      expect(error.code).toBe('REGISTRATION_INVALID');
    },
  );
});

describe('decodeRegistration', () => {
  it('reads back what was written', () => {
    const names = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', '7', 'b\\.x'));
    const subscriptions = fc
      .array(fc.tuple(names, fc.integer({ min: 1, max: 1000 })), { maxLength: 20 })
      .map((entries) => new Map(entries));
    const patterns = fc.constantFrom<SubscriptionPattern>('static', 'white_list', 'black_list');
    fc.assert(
      fc.property(subscriptions, patterns, fc.nat(), (subscription, pattern, timestampMs) => {
        const read = decodeRegistration(encodeRegistration({ subscription, pattern, timestampMs }), PATH);
        expect(read).toEqual({ path: PATH, pattern, subscription });
      }),
    );
  });

  it.each([
    ['extra fields', '{"x":[{}],"version":1,"subscription":{"t":1},"pattern":"static","timestamp":"1"}'],
    ['no version and no timestamp', '{"subscription":{"t":1},"pattern":"static"}'],
    ['another version', '{"version":2,"subscription":{"t":1},"pattern":"static","timestamp":"1"}'],
    ['a timestamp that is a number', '{"subscription":{"t":1},"pattern":"static","timestamp":1795991641755}'],
    ['blanks and line ends', ' {\n "subscription" : { "t" : 1 } ,\t"pattern" : "static" } \n'],
    ['escaped letters', '{"subscription":{"\\u0074":1},"pattern":"st\\u0061tic"}'],
    ['an unknown pattern', '{"subscription":{"t":1},"pattern":"future"}'],
    ['the pattern "constructor"', '{"subscription":{"t":1},"pattern":"constructor"}'],
  ])('takes %s', (_what, text) => {
    expect(decode(text)).toEqual({ path: PATH, pattern: 'static', subscription: new Map([['t', 1]]) });
  });

  it('takes no topics at all', () => {
    expect(decode('{"subscription":{},"pattern":"white_list"}').subscription.size).toBe(0);
  });

  it('reads a doubly escaped regex literally', () => {
    const { subscription } = decode('{"subscription":{"b\\\\\\\\.x":1},"pattern":"white_list"}');
    expect([...subscription.keys()]).toEqual(['b\\\\.x']);
  });

  it('is not impressed by the name of a prototype', () => {
    const { subscription } = decode(
      '{"subscription":{"__proto__":2},"pattern":"static","__proto__":{"x":1}}',
    );
    expect([...subscription]).toEqual([['__proto__', 2]]);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('does not take fields from a prototype', () => {
    const error = connectorErrorOf(() => decode('{"__proto__":{"subscription":{"t":1},"pattern":"static"}}'));
    expect(error.message).toContain('"pattern"');
  });

  it.each([
    ['empty data', '', 'is empty'],
    ['no JSON', 'g_c1-0', 'is not JSON'],
    ['half of it', '{"version":1,', 'is not JSON'],
    ['an array', '[]', 'is not a JSON object'],
    ['null', 'null', 'is not a JSON object'],
    ['no pattern', '{"subscription":{"t":1}}', '"pattern"'],
    ['a pattern that is no text', '{"subscription":{"t":1},"pattern":1}', '"pattern"'],
    ['no subscription', '{"pattern":"static"}', '"subscription"'],
    ['a list as subscription', '{"pattern":"static","subscription":["t"]}', '"subscription"'],
    [
      'a count that is a text',
      '{"pattern":"static","subscription":{"t":"1"}}',
      'no number of streams for "t"',
    ],
    ['a count of nothing', '{"pattern":"static","subscription":{"t":null}}', 'no number of streams for "t"'],
    ['a count of 0', '{"pattern":"static","subscription":{"t":0}}', '0 streams'],
    ['a negative count', '{"pattern":"static","subscription":{"t":-1}}', '-1 streams'],
    ['a count with a fraction', '{"pattern":"static","subscription":{"t":1.5}}', '1.5 streams'],
    ['a count beyond numbers', '{"pattern":"static","subscription":{"t":1e999}}', 'Infinity streams'],
    ['a silly count', '{"pattern":"static","subscription":{"t":1000000000}}', 'above the limit of 100000'],
    ['a silly sum', '{"pattern":"static","subscription":{"t":60000,"u":60000}}', '120000 streams in all'],
  ])('refuses %s and says where and why', (_what, text, why) => {
    const error = connectorErrorOf(() => decode(text));
    expect(error.code).toBe('REGISTRATION_INVALID');
    expect(error.context.path).toBe(PATH);
    expect(error.message).toContain(PATH);
    expect(error.message).toContain(why);
    expect(error.message).toContain(JSON.stringify(text).slice(0, 40));
  });

  it('refuses a node without data', () => {
    expect(connectorErrorOf(() => decodeRegistration(null, PATH)).message).toContain('is empty');
    expect(connectorErrorOf(() => decodeRegistration(undefined, PATH)).code).toBe('REGISTRATION_INVALID');
  });

  it('shortens a long text in the message', () => {
    const error = connectorErrorOf(() => decode('x'.repeat(10_000)));
    expect(error.message.length).toBeLessThan(300);
    expect(error.message).toContain('(10000 characters)');
  });
});
