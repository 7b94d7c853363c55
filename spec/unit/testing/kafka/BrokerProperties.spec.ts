import { BrokerProperties } from '../../../../lib/testing/kafka/BrokerProperties';
import { logOptionsOf } from '../../../../lib/testing/kafka/logOptions';

describe('properties of a broker', () => {
  it('are what was given, or the default of the release', () => {
    const given = new BrokerProperties('0.8', { 'num.partitions': '7' });
    expect(given.get('num.partitions')).toBe('7');
    expect(given.get('delete.topic.enable')).toBe('false');
    expect(given.get('message.max.bytes')).toBe('1000012');
    const defaults = new BrokerProperties('3.9');
    expect(defaults.get('delete.topic.enable')).toBe('true');
    expect(defaults.get('message.max.bytes')).toBe('1048588');
    expect(defaults.get('unclean.leader.election.enable')).toBe('false');
  });

  it('may have names that mean nothing here', () => {
    expect(() => new BrokerProperties('1.1', { 'num.io.threads': '4' })).not.toThrow();
  });

  it('must not have names that nobody knows', () => {
    expect(() => new BrokerProperties('1.1', { 'num.io.threads': '4', a: '1', toString: '2' })).toThrow(
      'embedded brokers do not know a in server.properties; there are advertised.host.name, ',
    );
  });

  it('are only asked for by names that have an effect', () => {
    expect(() => new BrokerProperties('1.1').get('num.io.threads')).toThrow(
      'embedded brokers do not act on num.io.threads',
    );
  });

  it.each([
    ['num.partitions', 'many', 'num.partitions must be a whole number, not "many"'],
    ['advertised.port', '', 'advertised.port must be a whole number, not ""'],
    ['delete.topic.enable', 'yes', 'delete.topic.enable must be true or false, not "yes"'],
  ])('are of the right kind: %s is not %j', (name, value, message) => {
    expect(() => new BrokerProperties('1.1', { [name]: value })).toThrow(message);
  });
});

describe('how the logs of a topic are kept', () => {
  it.each([
    ['0.8', '', 0],
    ['0.9', '', 0],
    ['0.10.2', '', 1],
    ['0.10.2', '0.9.0.1', 0],
    ['0.10.2', '0.10.0-IV1', 1],
    ['1.1', '', 2],
    ['1.1', '0.8.2', 0],
    ['1.1', '0.10.2', 1],
    ['1.1', '0.11.0', 2],
    ['3.9', '0.10.2', 2],
  ] as const)('by Kafka %s with message.format.version %j is format %d', (generation, version, format) => {
    const config = new Map(version === '' ? [] : [['message.format.version', version]]);
    const properties = new BrokerProperties(generation);
    expect(logOptionsOf(generation, config, (name) => properties.get(name)).format).toBe(format);
  });

  it('is what the topic says, or else the broker', () => {
    const properties = new BrokerProperties('1.1', {
      'log.message.timestamp.type': 'LogAppendTime',
      'message.max.bytes': '100',
    });
    const property = (name: string): string => properties.get(name);
    expect(logOptionsOf('1.1', new Map(), property)).toMatchObject({
      ...{ timestampType: 'LogAppendTime', maxMessageBytes: 100 },
    });
    const config = new Map([
      ['message.timestamp.type', 'CreateTime'],
      ['max.message.bytes', '50'],
    ]);
    expect(logOptionsOf('1.1', config, property)).toMatchObject({
      ...{ timestampType: 'CreateTime', maxMessageBytes: 50 },
    });
  });
});
