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
    const options = { kafka: '0.8', brokers: 0, zookeepers: 3, chroot: '/a/b', seed: 7 } as const;
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

  it.each<[string, object, string]>([
    ['an unknown name', { broker: 3 }, 'has no option "broker"; there are kafka, brokers'],
    [
      'a release in place of a generation',
      { kafka: '0.8.2.2' },
      'kafka must be one of 0.8, 0.9, 0.10.2, 1.1, 3.9',
    ],
    ['half a broker', { brokers: 1.5 }, 'brokers must be a whole number from 0 to 100, not 1.5'],
    ['no ZooKeeper', { zookeepers: 0 }, 'zookeepers must be a whole number from 1'],
    ['a relative chroot', { chroot: 'kafka' }, 'not "kafka"'],
    ['a chroot with an end too many', { chroot: '/kafka/' }, 'not "/kafka/"'],
    [
      'a tick that is no number',
      { zookeeperProperties: { tickTime: 'short' } },
      'tickTime must be a whole number',
    ],
    ['an empty tick', { zookeeperProperties: { tickTime: '' } }, 'tickTime must be a whole number from 1'],
    [
      'limits in the wrong order',
      { zookeeperProperties: { minSessionTimeout: 5, maxSessionTimeout: 4 } },
      'maxSessionTimeout (4) must not be below minSessionTimeout (5)',
    ],
    ['a negative seed', { seed: -1 }, 'seed must be a whole number from 0'],
  ])('are refused with what would be right: %s', (_, options, message) => {
    expect(() => resolveClusterOptions(options as EmbeddedClusterOptions)).toThrow(message);
  });
});
