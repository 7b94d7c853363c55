import {
  resolveClusterOptions,
  type EmbeddedClusterOptions,
} from '../../../lib/testing/EmbeddedClusterOptions';

describe('the options of an embedded cluster', () => {
  it('have defaults', async () => {
    const { brokerProperties, ...resolved } = resolveClusterOptions({});
    expect(resolved).toEqual({
      ...{ kafka: '3.9', brokers: 1, zookeepers: 1, chroot: '', topics: {}, seed: 1 },
      ...{ tickTimeMs: 100, minSessionTimeoutMs: 200, maxSessionTimeoutMs: 40_000 },
    });
    await expect(brokerProperties({ id: 1, host: '127.0.0.1', port: 1 })).resolves.toEqual({});
  });

  it('are taken as they are, numbers of zoo.cfg also as text', () => {
    const zookeeperProperties = { tickTime: '500', minSessionTimeout: '1000', maxSessionTimeout: 5000 };
    const topics = { a: 3, b: { replicas: 2, partitions: 1 } };
    const options = { kafka: '0.8', brokers: 2, zookeepers: 3, chroot: '/a/b', seed: 7 } as const;
    expect(resolveClusterOptions({ ...options, topics, zookeeperProperties })).toMatchObject({
      ...options,
      topics: { a: { partitions: 3 }, b: { replicas: 2, partitions: 1 } },
      ...{ tickTimeMs: 500, minSessionTimeoutMs: 1000, maxSessionTimeoutMs: 5000 },
    });
  });

  it('ask for the properties of each broker', async () => {
    const { brokerProperties } = resolveClusterOptions({
      brokerProperties: ({ id, port }) => Promise.resolve({ 'advertised.port': String(port + id) }),
    });
    const properties = await brokerProperties({ id: 2, host: '127.0.0.1', port: 9000 });
    expect(properties).toEqual({ 'advertised.port': '9002' });
  });

  it.each<[string, unknown, string]>([
    [
      'null',
      null,
      "options must be an object such as { kafka: '3.9', brokers: 3, topics: { orders: 4 } }, not null",
    ],
    ['a number', 5, 'options must be an object such as { kafka:'],
    ['an unknown name', { broker: 3 }, '"broker" is none of the names in options. Did you mean "brokers"?'],
    [
      'a release in place of a generation',
      { kafka: '0.8.2.2' },
      'kafka must be "0.8", "0.9", "0.10.2", "1.1" or "3.9", not "0.8.2.2" (string)',
    ],
    ['half a broker', { brokers: 1.5 }, 'brokers must be a whole number from 0 to 100, not 1.5 (number)'],
    ['brokers as text', { brokers: '3' }, 'brokers must be a whole number from 0 to 100, not "3" (string)'],
    ['no ZooKeeper', { zookeepers: 0 }, 'zookeepers must be a whole number from 1 to 100, not 0 (number)'],
    [
      'a relative chroot',
      { chroot: 'kafka' },
      `chroot must be '' or a path such as "/kafka", not "kafka" (string)`,
    ],
    ['a chroot with an end too many', { chroot: '/kafka/' }, 'not "/kafka/" (string)'],
    ['a negative seed', { seed: -1 }, 'seed must be a whole number from 0 to 4294967295, not -1 (number)'],
    [
      'times that are no object',
      { zookeeperProperties: 10 },
      'zookeeperProperties must be an object such as',
    ],
    [
      'an unknown time',
      { zookeeperProperties: { ticktime: 10 } },
      '"ticktime" is none of the names in zookeeperProperties. Did you mean "tickTime"?',
    ],
    [
      'a tick that is no number',
      { zookeeperProperties: { tickTime: 'short' } },
      'zookeeperProperties.tickTime must be a whole number from 1 to 2147483647 (milliseconds), not "short" (string)',
    ],
    ['an empty tick', { zookeeperProperties: { tickTime: '' } }, 'tickTime must be a whole number from 1'],
    [
      'limits in the wrong order',
      { zookeeperProperties: { minSessionTimeout: 5, maxSessionTimeout: 4 } },
      'zookeeperProperties.maxSessionTimeout must be minSessionTimeout (5) or more, not 4 (number)',
    ],
    [
      'ticks that are too long for the longest session',
      { zookeeperProperties: { tickTime: 30_000, maxSessionTimeout: 40_000 } },
      'maxSessionTimeout must be minSessionTimeout (60000) or more, not 40000 (number)',
    ],
    [
      'properties that are no object',
      { brokerProperties: 'num.partitions=4' },
      "brokerProperties must be an object such as { 'num.partitions': '4' }",
    ],
    [
      'a property that is no text',
      { brokerProperties: { 'num.partitions': 4 } },
      'brokerProperties["num.partitions"] must be a text, not 4 (number)',
    ],
    ['an unknown property', { brokerProperties: { 'no.such': '1' } }, 'brokerProperties: '],
    ['topics as text', { topics: 'a' }, 'topics must be an object such as { orders: 4, payments'],
    ['topics as a list', { topics: ['a'] }, 'topics must be an object such as { orders: 4, payments'],
    ['topics as a Map', { topics: new Map([['a', 1]]) }, 'topics must be an object such as { orders: 4'],
    ['partitions as text', { topics: { a: '4' } }, 'topics.a must be an object such as { partitions: 4'],
    [
      'no partitions',
      { topics: { a: 0 } },
      'topics.a.partitions must be a whole number from 1 to 10000, not 0 (number)',
    ],
    [
      'a name that no topic can have',
      { topics: { 'a b': 1 } },
      `"a b" cannot be a topic's name; one has 1 to 249 letters, digits, ".", "_" and "-", and is not "." or ".."`,
    ],
    [
      'an unknown option of a topic',
      { topics: { a: { partition: 4 } } },
      '"partition" is none of the names in topics.a. Did you mean "partitions"?',
    ],
    [
      'a topic without brokers',
      { brokers: 0, topics: { a: 1 } },
      'topics.a: a topic needs a broker, and there is none',
    ],
  ])('are refused with what would be right: %s', (_, options, message) => {
    const act = (): unknown => resolveClusterOptions(options as EmbeddedClusterOptions);
    expect(act).toThrow(TypeError);
    expect(act).toThrow(message);
  });

  it('are refused with all that is wrong, a line for each', () => {
    const wrong = {
      kafka: '4',
      brokers: 2,
      topics: { a: { replicas: 3, config: { x: 1 } }, b: '1' },
      seed: null,
    };
    expect(() => resolveClusterOptions(wrong as unknown as EmbeddedClusterOptions)).toThrow(
      new RegExp(
        ['kafka must be', 'seed must be', 'topics.a.replicas must be', '"x" is none of', 'topics.b must be']
          .map((text) => `EmbeddedCluster.start: ${text}.*`)
          .join('\n'),
      ),
    );
  });

  it('are refused when a function returns no properties', async () => {
    const { brokerProperties } = resolveClusterOptions({
      brokerProperties: (() => undefined) as unknown as () => Record<string, string>,
    });
    await expect(brokerProperties({ id: 3, host: '127.0.0.1', port: 1 })).rejects.toThrow(
      "brokerProperties of broker 3 must be an object such as { 'num.partitions': '4' }, not undefined",
    );
  });
});
