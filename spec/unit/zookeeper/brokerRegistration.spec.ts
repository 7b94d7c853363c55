import type { SecurityProtocol } from '../../../lib/kafka/brokerSecurity';
import { decodeBroker, type Broker } from '../../../lib/zookeeper/brokerRegistration';
import { connectorErrorOf } from '../connectorErrorOf';

const PATH = '/brokers/ids/7';
const decode = (fields: unknown, protocol: SecurityProtocol = 'PLAINTEXT'): Broker =>
  decodeBroker(7, Buffer.from(JSON.stringify(fields)), PATH, protocol);
const named = (endpoints: readonly string[], protocols?: Record<string, string>, version = 4): unknown => ({
  host: null,
  port: -1,
  jmx_port: -1,
  timestamp: '1795991248160',
  endpoints,
  ...(protocols === undefined ? {} : { listener_security_protocol_map: protocols }),
  version,
});

describe('decodeBroker', () => {
  it('reads host and port of version 1', () => {
    const broker = decode({ jmx_port: -1, timestamp: '1', host: 'h', version: 1, port: 9092 });
    expect(broker).toEqual({ id: 7, host: 'h', port: 9092, registrationVersion: 1 });
  });

  it.each([2, 3, 4, 5, 99])('reads the endpoints of version %d', (version) => {
    const broker = decode(named(['SSL://s:9093', 'PLAINTEXT://h:9092'], undefined, version));
    expect(broker).toEqual({ id: 7, host: 'h', port: 9092, registrationVersion: version });
  });

  it('reads version 5 with features and unknown fields', () => {
    const fields = {
      features: {},
      listener_security_protocol_map: { PLAINTEXT: 'PLAINTEXT' },
      endpoints: ['PLAINTEXT://10.0.0.1:9092'],
      jmx_port: -1,
      port: 9092,
      host: '10.0.0.1',
      version: 5,
      later: [1],
    };
    expect(decode(fields)).toEqual({ id: 7, host: '10.0.0.1', port: 9092, registrationVersion: 5 });
  });

  it('finds a named listener by its protocol', () => {
    const broker = decode(
      named(['OUTSIDE://o:1', 'INSIDE://i:2'], { OUTSIDE: 'SASL_SSL', INSIDE: 'PLAINTEXT' }),
    );
    expect(broker).toMatchObject({ host: 'i', port: 2 });
  });

  it.each(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const)(
    'finds the %s listener, also if its name is in lower case or stands for it',
    (protocol) => {
      const ports = { PLAINTEXT: 1, SSL: 2, SASL_PLAINTEXT: 3, SASL_SSL: 4 };
      const endpoints = Object.entries(ports).map(
        ([name, port]) => [name, `[fe80::${port}]:${port}`] as const,
      );
      const port = ports[protocol];
      const found = { host: `fe80::${port}`, port };
      const plain = endpoints.map(([name, at]) => `${name}://${at}`);
      expect(decode(named(plain, undefined, 2), protocol)).toMatchObject(found);
      const lower = endpoints.map(([name, at]) => `${name.toLowerCase()}://${at}`);
      expect(decode(named(lower, undefined, 3), protocol)).toMatchObject(found);
      const others = endpoints.map(([name, at]) => `X${name}://${at}`);
      const map = Object.fromEntries(endpoints.map(([name]) => [`X${name}`, name]));
      expect(decode(named(others, map, 5), protocol)).toMatchObject(found);
    },
  );

  it('knows that a broker of version 1 has one listener, without encryption and login', () => {
    const error = connectorErrorOf(() => decode({ version: 1, host: 'h', port: 9092 }, 'SASL_SSL'));
    expect(error.message).toContain(
      'no SASL_SSL listener, which security.protocol asks for; it has PLAINTEXT',
    );
  });

  it('prefers the listener that is named PLAINTEXT, as a JVM consumer does', () => {
    const broker = decode(
      named(['INSIDE://i:2', 'PLAINTEXT://p:3'], { INSIDE: 'PLAINTEXT', PLAINTEXT: 'PLAINTEXT' }),
    );
    expect(broker).toMatchObject({ host: 'p', port: 3 });
  });

  it('does not trust a name that stands for another protocol', () => {
    const error = connectorErrorOf(() => decode(named(['PLAINTEXT://p:3'], { PLAINTEXT: 'SSL' })));
    expect(error.message).toContain('PLAINTEXT (SSL)');
  });

  it.each([
    ['PLAINTEXT://[::1]:9092', '::1'],
    ['PLAINTEXT://[fe80::1%eth0]:9092', 'fe80::1%eth0'],
    ['PLAINTEXT://my_host.example:9092', 'my_host.example'],
  ])('reads the address in %s', (endpoint, host) => {
    expect(decode(named([endpoint]))).toMatchObject({ host, port: 9092 });
  });

  it('takes host and port if a later version has no endpoints', () => {
    expect(decode({ version: 2, host: 'h', port: 1 })).toMatchObject({ host: 'h', registrationVersion: 2 });
  });

  it('concludes a missing version from the fields', () => {
    expect(decode({ host: 'h', port: 1 }).registrationVersion).toBe(1);
    expect(decode({ endpoints: ['PLAINTEXT://h:1'] }).registrationVersion).toBe(2);
  });

  it('names the listeners of a broker that has none without encryption', () => {
    const error = connectorErrorOf(() =>
      decode(named(['SSL://h:9093', 'INSIDE://h:9094'], { SSL: 'SSL', INSIDE: 'SASL_PLAINTEXT' })),
    );
    expect(error.code).toBe('BROKER_ERROR');
    expect(error.context.path).toBe(PATH);
    expect(error.message).toContain('no PLAINTEXT listener');
    expect(error.message).toContain('SSL, INSIDE (SASL_PLAINTEXT)');
  });

  it.each([
    ['no host and no endpoints', { version: 4, host: null, port: -1, endpoints: [] }],
    ['a port out of range', { version: 1, host: 'h', port: 65_536 }],
    ['an empty host', { version: 1, host: '', port: 1 }],
    [
      'endpoints of another form',
      { version: 4, endpoints: ['h:9092', 5, 'PLAINTEXT://h:0', 'PLAINTEXT://:1'] },
    ],
    ['an object from a prototype', JSON.parse('{"__proto__":{"host":"h","port":1}}') as unknown],
  ])('refuses %s', (_what, fields) => {
    const error = connectorErrorOf(() => decode(fields));
    expect(error.code).toBe('BROKER_ERROR');
    expect(error.message).toContain('neither a host with a port nor a usable listener');
  });

  it('refuses data that is not JSON, with the path', () => {
    expect(connectorErrorOf(() => decodeBroker(7, Buffer.from('h:9092'), PATH, 'SSL')).message).toContain(
      PATH,
    );
    expect(connectorErrorOf(() => decodeBroker(7, null, PATH, 'SSL')).code).toBe('BROKER_ERROR');
  });
});
