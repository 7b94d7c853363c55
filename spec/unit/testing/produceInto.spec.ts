import { EmbeddedCluster, type EmbeddedMessage, type ProduceOptions } from '../../../lib/testing';
import { LocalMember } from '../../support/LocalMember';
import { waitFor } from '../../support/waitFor';

const OLD_CODECS = ['none', 'gzip', 'snappy', 'lz4'] as const;

function endOffsets(cluster: EmbeddedCluster): readonly number[] {
  return cluster.describeTopic('t').map(({ endOffset }) => endOffset);
}

describe('messages that are produced', () => {
  it.each<[string, unknown, string]>([
    [
      'a text in place of a list',
      'text',
      "messages must be a list such as ['text', { key: 'k', value: 'v' }], not \"text\" (string)",
    ],
    ['bytes in place of a list', Buffer.from('a'), 'messages must be a list such as'],
    ['one message in place of a list', { value: 'a' }, 'messages must be a list such as'],
    ['nothing', undefined, 'messages must be a list such as'],
    [
      'a number',
      [5],
      "messages[0] must be a text or an object such as { key: 'k', value: 'v' }, not 5 (number)",
    ],
    ['null', ['a', null], 'messages[1] must be a text or an object such as { value: null }, not null'],
    ['a Buffer', [Buffer.from('a')], 'messages[0] must be a text or an object such as'],
    ['a Uint8Array', [new Uint8Array(1)], 'messages[0] must be a text or an object such as'],
    ['a list', [['k', 'v']], 'messages[0] must be a text or an object such as'],
    [
      'a number as value',
      [{ value: 5 }],
      'messages[0].value must be a text, a Buffer, a Uint8Array or null, not 5 (number)',
    ],
    [
      'a number as key',
      [{ key: 5, value: 'a' }],
      'messages[0].key must be a text, a Buffer, a Uint8Array or null, not 5',
    ],
    ['no value', [{ key: 'k' }], 'messages[0].value is missing; null makes a tombstone'],
    ['an undefined value', [{ value: undefined }], 'messages[0].value is missing; null makes a tombstone'],
    [
      'a partition as text',
      [{ value: 'a', partition: '0' }],
      'messages[0].partition must be a whole number from 0 on, not "0" (string)',
    ],
    [
      'a negative partition',
      [{ value: 'a', partition: -1 }],
      'partition must be a whole number from 0 on, not -1 (number)',
    ],
    [
      'half a partition',
      [{ value: 'a', partition: 1.5 }],
      'partition must be a whole number from 0 on, not 1.5 (number)',
    ],
    [
      'a time as text',
      [{ value: 'a', timestampMs: 'now' }],
      'messages[0].timestampMs must be a whole number of milliseconds since 1970, not "now" (string)',
    ],
    [
      'no time',
      [{ value: 'a', timestampMs: NaN }],
      'timestampMs must be a whole number of milliseconds since 1970, not NaN (number)',
    ],
    ['a time before all times', [{ value: 'a', timestampMs: -1 }], 'not -1 (number)'],
    [
      'a Date',
      [{ value: 'a', timestampMs: new Date(0) }],
      'timestampMs must be a whole number of milliseconds since 1970',
    ],
    [
      'an unknown name',
      [{ value: 'a', timestamp: 5 }],
      '"timestamp" is none of the names in messages[0]. Did you mean "timestampMs"?',
    ],
    [
      'headers by name',
      [{ value: 'a', headers: { h: 'x' } }],
      "messages[0].headers must be a list such as [{ key: 'k', value: 'v' }]",
    ],
    [
      'a header that is none',
      [{ value: 'a', headers: ['h'] }],
      "messages[0].headers[0] must be an object such as { key: 'k', value: 'v' }",
    ],
    [
      'a header without a name',
      [{ value: 'a', headers: [{ value: 'x' }] }],
      'messages[0].headers[0].key must be a text, not undefined',
    ],
    [
      'a header without a value',
      [{ value: 'a', headers: [{ key: 'h' }] }],
      'messages[0].headers[0].value is missing; null is a header without one',
    ],
    [
      'a number in a header',
      [{ value: 'a', headers: [{ key: 'h', value: 1 }] }],
      'headers[0].value must be a text, a Buffer, a Uint8Array or null',
    ],
  ])('are refused, and nothing is written: %s', async (_, messages, message) => {
    await using cluster = await EmbeddedCluster.start({ topics: { t: 2 } });
    const act = (): unknown => cluster.produce('t', messages as EmbeddedMessage[]);
    expect(act).toThrow(TypeError);
    expect(act).toThrow(message);
    expect(endOffsets(cluster)).toEqual([0, 0]);
  });

  it.each<[string, unknown, string]>([
    ['a text', 'gzip', 'options must be an object such as { compression: \'gzip\' }, not "gzip" (string)'],
    [
      'an unknown name',
      { compresion: 'gzip' },
      '"compresion" is none of the names in options. Did you mean "compression"?',
    ],
    [
      'a misspelt codec',
      { compression: 'gzipp' },
      'compression with Kafka 3.9 cannot be "gzipp" (string). Did you mean "gzip"?',
    ],
    [
      'no codec',
      { compression: true },
      'compression with Kafka 3.9 must be "none", "gzip", "snappy", "lz4" or "zstd", not true (boolean)',
    ],
  ])('have options that are refused: %s', async (_, options, message) => {
    await using cluster = await EmbeddedCluster.start({ topics: { t: 1 } });
    expect(() => cluster.produce('t', ['a'], options as ProduceOptions)).toThrow(message);
    expect(endOffsets(cluster)).toEqual([0]);
  });

  it.each(['0.8', '0.9', '0.10.2', '1.1'] as const)(
    'are compressed with the codecs that Kafka %s knows, and no other',
    async (kafka) => {
      await using cluster = await EmbeddedCluster.start({ kafka, topics: { t: 1 } });
      for (const compression of OLD_CODECS) cluster.produce('t', ['a', 'b'], { compression });
      expect(() => cluster.produce('t', ['a'], { compression: 'zstd' })).toThrow(
        `compression with Kafka ${kafka} must be "none", "gzip", "snappy" or "lz4", not "zstd" (string)`,
      );
      expect(endOffsets(cluster)).toEqual([8]);
    },
  );

  it('are compressed with all codecs in Kafka 3.9', async () => {
    await using cluster = await EmbeddedCluster.start({ topics: { t: 1 } });
    for (const compression of [...OLD_CODECS, 'zstd'] as const)
      cluster.produce('t', ['a', 'b'], { compression });
    expect(endOffsets(cluster)).toEqual([10]);
  });

  it('are refused with all that is wrong, of a long list the first 20', async () => {
    await using cluster = await EmbeddedCluster.start({ topics: { t: 1 } });
    const wrong = ['right', ...Array.from({ length: 1000 }, () => 5)] as string[];
    let text = '';
    try {
      cluster.produce('t', wrong, { compression: 'zip' as 'gzip' });
    } catch (error) {
      text = String(error);
    }
    const lines = text.split('\n');
    expect(lines).toHaveLength(21);
    expect(lines[19]).toMatch(/^produce: messages\[20\] must be /);
    expect(lines[20]).toBe('produce: and 981 more');
    expect(endOffsets(cluster)).toEqual([0]);
  });

  it('are written nowhere if one partition refuses them, and it is said why', async () => {
    const topics = { t: { partitions: 3, config: { 'max.message.bytes': '1000' } } };
    await using cluster = await EmbeddedCluster.start({ topics });
    expect(() => cluster.produce('t', ['a', 'x'.repeat(2000), 'c'])).toThrow(
      /^partition t\/1 refuses the messages: MESSAGE_TOO_LARGE, \d{4} bytes where max\.message\.bytes allows 1000$/,
    );
    expect(() => cluster.produce('t', ['a', { value: 'b', partition: 3 }])).toThrow(
      new RangeError('topic t has no partition 3; it has partitions 0 to 2'),
    );
    expect(endOffsets(cluster)).toEqual([0, 0, 0]);
  });

  it.each(['0.8', '0.10.2'] as const)(
    'may be larger together where each is stored alone: Kafka %s',
    async (kafka) => {
      const topics = { t: { config: { 'max.message.bytes': '1000' } } };
      await using cluster = await EmbeddedCluster.start({ kafka, topics });
      const half = 'x'.repeat(600);
      cluster.produce('t', [half, half]);
      expect(() => cluster.produce('t', ['x'.repeat(1000)])).toThrow('where max.message.bytes allows 1000');
      expect(endOffsets(cluster)).toEqual([2]);
    },
  );

  it('may come from any iterable', async () => {
    await using cluster = await EmbeddedCluster.start({ topics: { t: 2 } });
    const generated = (function* () {
      yield 'a';
      yield { value: 'b' };
    })();
    expect(cluster.produce('t', generated)).toHaveLength(2);
    expect(cluster.produce('t', new Set(['c']))).toEqual([{ partition: 0, offset: 1 }]);
    expect(cluster.produce('t', [])).toEqual([]);
  });

  it('may have bytes of any kind in keys, values and headers', async () => {
    await using cluster = await EmbeddedCluster.start({ topics: { t: 1 } });
    const view = new TextEncoder().encode('<view>').subarray(1, 5);
    cluster.produce('t', [{ key: view, value: view, headers: [{ key: 'h', value: view }] }]);
    await using member = await LocalMember.start({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: 'g', topics: { t: 1 }, consume: false },
    });
    const value = Buffer.from('view');
    await expect(member.stream()[Symbol.asyncIterator]().next()).resolves.toMatchObject({
      value: { key: value, value, headers: [{ key: 'h', value }] },
    });
  });
});

describe.each(['0.8', '0.10.2', '1.1', '3.9'] as const)('many messages of one call, on %s', (kafka) => {
  it.each(['none', 'gzip'] as const)('are as many sets as it takes, compression %s', async (compression) => {
    await using cluster = await EmbeddedCluster.start({ kafka, topics: { t: 2 } });
    const messages = Array.from({ length: 12_000 }, (_, number) => ({
      ...{ key: String(number), value: `${number} ${'x'.repeat(200)}` },
      headers: [{ key: 'h', value: 'v' }],
    }));
    const places = cluster.produce('t', messages, { compression });
    expect(endOffsets(cluster)).toEqual([6000, 6000]);
    expect(places.slice(-2)).toEqual([
      { partition: 0, offset: 5999 },
      { partition: 1, offset: 5999 },
    ]);
    const { zookeeperConnect } = cluster;
    await using member = await LocalMember.start({ zookeeperConnect, group: 'g', topics: { t: 1 } });
    await waitFor(() => member.messages.length >= messages.length, {
      ...{ timeoutMs: 20_000, description: 'all messages' },
    });
    const values = new Set(member.messages.map(({ value }) => value));
    expect(values).toEqual(new Set(messages.map(({ value }) => value)));
  });
});
