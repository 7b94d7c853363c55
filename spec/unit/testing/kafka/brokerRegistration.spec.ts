import { BrokerProperties } from '../../../../lib/testing/kafka/BrokerProperties';
import {
  advertisedAddress,
  readRegistration,
  writeControllerNode,
  writeRegistration,
} from '../../../../lib/testing/kafka/brokerRegistration';
import { GENERATIONS } from '../../../../lib/testing/kafka/Generation';

const BROKER = { id: 1, host: '127.0.0.1', port: 9092 };

/** What real brokers wrote, but for time and port. */
const MEASURED = {
  '0.8': '{"jmx_port":-1,"timestamp":"1796039414841","host":"127.0.0.1","version":1,"port":9092}',
  '0.9':
    '{"jmx_port":-1,"timestamp":"1796039414841","endpoints":["PLAINTEXT://127.0.0.1:9092"],"host":"127.0.0.1",' +
    '"version":2,"port":9092}',
  '0.10.2':
    '{"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://127.0.0.1:9092"],' +
    '"jmx_port":-1,"host":"127.0.0.1","timestamp":"1796039414841","port":9092,"version":4}',
  '1.1':
    '{"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://127.0.0.1:9092"],' +
    '"jmx_port":-1,"host":"127.0.0.1","timestamp":"1796039414841","port":9092,"version":4}',
  '3.9':
    '{"features":{},"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},' +
    '"endpoints":["PLAINTEXT://127.0.0.1:9092"],"jmx_port":-1,"port":9092,"host":"127.0.0.1","version":5,' +
    '"timestamp":"1796039414841"}',
};

describe('the registration of a broker', () => {
  it.each(GENERATIONS)('is that of Kafka %s to the byte', (generation) => {
    const text = writeRegistration(BROKER, generation, 1796039414841);
    expect(text).toBe(MEASURED[generation]);
    expect(readRegistration(1, Buffer.from(text))).toEqual(BROKER);
  });

  it.each(['', 'null', '[]', '{}', '{"host":"a"}', '{"host":null,"port":-1}'])('is not %j', (text) => {
    expect(readRegistration(1, Buffer.from(text))).toBeNull();
  });
});

describe('the node of the controller', () => {
  it('is that of the release', () => {
    expect(writeControllerNode(2, '1.1', 5)).toBe('{"version":1,"brokerid":2,"timestamp":"5"}');
    expect(writeControllerNode(2, '3.9', 5)).toBe(
      '{"version":2,"brokerid":2,"timestamp":"5","kraftControllerEpoch":-1}',
    );
  });
});

describe('the advertised address', () => {
  it.each([
    ['1.1', {}, '127.0.0.1', 9092],
    ['0.8', { 'advertised.host.name': 'a' }, 'a', 9092],
    ['0.8', { 'advertised.port': '5' }, '127.0.0.1', 5],
    ['1.1', { 'advertised.listeners': 'PLAINTEXT://b:6', 'advertised.port': '5' }, 'b', 6],
  ] as const)('in Kafka %s is, with %j, %s:%d', (generation, properties, host, port) => {
    const given = new BrokerProperties(generation, properties);
    expect(advertisedAddress(BROKER, generation, given)).toEqual({ id: 1, host, port });
  });

  it('must be one', () => {
    const wrong = new BrokerProperties('3.9', { 'advertised.listeners': 'b:6' });
    expect(() => advertisedAddress(BROKER, '3.9', wrong)).toThrow(
      'advertised.listeners must be like PLAINTEXT://host:port, not "b:6"',
    );
  });
});
