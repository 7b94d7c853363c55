import { parseBootstrapServers } from '../../../lib/config/bootstrapServers';
import { connectorErrorOf } from '../connectorErrorOf';

describe('bootstrap.servers', () => {
  it.each([
    ['h1:9092', [{ host: 'h1', port: 9092 }]],
    [
      ' h1:1 ,\th-2.example_x:65535 ',
      [
        { host: 'h1', port: 1 },
        { host: 'h-2.example_x', port: 65_535 },
      ],
    ],
    ['127.0.0.1:9092', [{ host: '127.0.0.1', port: 9092 }]],
    ['[::1]:9092', [{ host: '::1', port: 9092 }]],
    ['[2001:db8::10]:09092', [{ host: '2001:db8::10', port: 9092 }]],
  ])('can be %j', (text, servers) => {
    expect(parseBootstrapServers(text)).toEqual(servers);
  });

  it.each([
    ['', 'it is empty'],
    [' ', 'it is empty'],
    ['h1:1,', 'a server is missing'],
    [',h1:1', 'a server is missing'],
    ['h1:1,,h2:2', 'a server is missing'],
    ['h1', '"h1" has no port'],
    ['[::1]', '"[::1]" has no port'],
    ['h1:', 'the port ""'],
    ['h1:0', 'the port "0"'],
    ['h1:65536', 'the port "65536"'],
    ['h1:x', 'the port "x"'],
    ['h1:-1', 'the port "-1"'],
    [':9092', 'has no host name'],
    ['[]:9092', 'no IPv6 address in its brackets'],
    ['[h1]:9092', 'no IPv6 address in its brackets'],
    ['::1:9092', 'needs brackets'],
    ['h1:1 h2:2', 'needs brackets'],
    ['h 1:1', 'a character that a host name cannot have'],
    ['SSL://h1:9092', 'must not have a scheme; security.protocol'],
    ['alice:x@h1:9092', 'a user (hidden), which is not allowed there; a login belongs to sasl.jaas.config'],
    ['h1:9092/kafka', 'more than a host and a port'],
  ])('cannot be %j', (text, why) => {
    const error = connectorErrorOf(() => parseBootstrapServers(text));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.context.faults).toEqual([expect.stringContaining(why)]);
  });
});
