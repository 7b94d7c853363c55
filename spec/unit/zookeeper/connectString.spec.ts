import { parseConnectString } from '../../../lib/zookeeper/connectString';
import { connectorErrorOf } from '../connectorErrorOf';

describe('parseConnectString', () => {
  it.each([
    ['h1:2181', 'h1:2181', ''],
    ['h1', 'h1:2181', ''],
    ['h1:1,h2:2,h3', 'h1:1,h2:2,h3:2181', ''],
    [' h1:1 , h2:2\t,h3 ', 'h1:1,h2:2,h3:2181', ''],
    ['h1:1,h2:2/kafka', 'h1:1,h2:2', '/kafka'],
    ['h1:1 , h2:2 /kafka/a-b ', 'h1:1,h2:2', '/kafka/a-b'],
    ['h1/', 'h1:2181', ''],
    ['h1/a@b', 'h1:2181', '/a@b'],
    ['h1/kafka/', 'h1:2181', '/kafka'],
    ['h1/.kafka/..a', 'h1:2181', '/.kafka/..a'],
    ['10.0.0.1:2181,zoo_1.example-x:65535', '10.0.0.1:2181,zoo_1.example-x:65535', ''],
  ])('reads %j', (text, hosts, chroot) => {
    expect(parseConnectString(text)).toMatchObject({ hosts, chroot });
  });

  it('gives the servers one by one', () => {
    expect(parseConnectString('h1:1,h2').servers).toEqual([
      { host: 'h1', port: 1 },
      { host: 'h2', port: 2181 },
    ]);
  });

  it.each([
    ['h1:2181/kafka,h2:2181/kafka', 'once, behind the last server: "h1:2181,h2:2181/kafka"'],
    ['h1:1/a, h2:1', 'once, behind the last server: "h1:1,h2:1/a"'],
    ['[::1]:2181', 'IPv6'],
    ['::1', 'IPv6'],
    ['h1:1,fe80::1:2181', 'IPv6'],
    ['h1:', 'port ""'],
    ['h1:0', 'port "0"'],
    ['h1:65536', 'port "65536"'],
    ['h1:-1', 'port "-1"'],
    ['h1:2181x', 'port "2181x"'],
    ['h1:1e3', 'port "1e3"'],
    [':2181', 'no host name'],
    ['', 'empty'],
    ['  ', 'empty'],
    [',', 'missing'],
    ['h1,,h2', 'missing'],
    ['h1,', 'missing'],
    ['/kafka', 'missing'],
    ['h1;h2', 'separated by commas'],
    ['h1 h2', 'separated by commas'],
    ['zk://h1:2181/kafka', 'scheme'],
    [
      'alice:x@h1:2181/kafka',
      'a user (hidden), which is not allowed there; credentials belong to zookeeper.auth',
    ],
    ['zk://alice@h1:2181', 'a user (hidden)'],
    ['alice:x/y@h1:2181', 'the reason is hidden'],
    ['h1:1/a@b,h2:1/a@b', 'once, behind the last server'],
    ['h1//kafka', 'two slashes'],
    ['h1/kafka//a', 'two slashes'],
    ['h1/kafka//', 'two slashes'],
    ['h1/.', 'relative'],
    ['h1/a/../b', 'relative'],
    ['h1/a\u0000b', 'refuses in a path'],
    ['h1/a\u0085b', 'refuses in a path'],
    ['h1\u0000', 'host name cannot have'],
  ])('refuses %j and says why', (text, why) => {
    const error = connectorErrorOf(() => parseConnectString(text));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain(why);
    expect(error.message).toContain('zookeeper.connect');
    expect(error.context.faults).toHaveLength(1);
  });
});
