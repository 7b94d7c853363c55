import { CONFIG_TABLE } from '../../../lib/config/configTable';
import { MAX_INT, type Setting } from '../../../lib/config/settingTypes';
import { resolveConfig } from '../../../lib/config/resolveConfig';
import { connectorErrorOf } from '../connectorErrorOf';

const REQUIRED = { 'group.id': 'g', 'zookeeper.connect': 'h1:2181' };
const TABLE = Object.entries<Setting>(CONFIG_TABLE);

function onlyFaultOf(name: string, value: unknown): string {
  const error = connectorErrorOf(() => resolveConfig({ ...REQUIRED, [name]: value }));
  expect(error.context.faults).toHaveLength(1);
  return error.context.faults?.[0] ?? '';
}

const circular: unknown[] = [];
circular.push(circular);

/** Wrong for every property, with what the message must say that it got. */
const NEVER_RIGHT: [got: string, value: unknown][] = [
  ['null', null],
  ['Symbol(x) (symbol)', Symbol('x')],
  ['NaN (number)', Number.NaN],
  ['1.5 (number)', 1.5],
  ['5n (bigint)', 5n],
  ['{"a":1} (object)', { a: 1 }],
  ['[1] (array)', [1]],
  ['an object', circular],
  ['an object', { toJSON: (): undefined => undefined }],
  ['a function', (): number => 5],
];

const SECRETS = TABLE.filter(([, setting]) => setting.type === 'string' && setting.secret).map(
  ([name]) => name,
);

const values = TABLE.filter(([name]) => !SECRETS.includes(name)).flatMap(([name]) =>
  NEVER_RIGHT.map(([got, value]) => ({ name, got, value })),
);

describe('A value of a wrong type', () => {
  it.each(values)('is refused for $name: $got', ({ name, got, value }) => {
    const fault = onlyFaultOf(name, value);
    expect(fault.startsWith(`${name}: got ${got}`)).toBe(true);
    expect(fault).toContain('expected ');
  });

  it.each(SECRETS)('is not shown for %s', (name) => {
    const got = NEVER_RIGHT.map(([, value]) => onlyFaultOf(name, value).split(': it is not')[0]);
    expect(got).toEqual(
      [
        'null',
        'a symbol (hidden)',
        ...['a number (hidden)', 'a number (hidden)', 'a bigint (hidden)', 'an object (hidden)'],
        ...['an array (hidden)', 'an array (hidden)', 'an object (hidden)', 'a function (hidden)'],
      ].map((kind) => `${name}: got ${kind}`),
    );
  });
});

const ints = TABLE.flatMap(([name, setting]) => (setting.type === 'int' ? [{ name, min: setting.min }] : []));

const wrongInts = ints.flatMap(({ name, min }) =>
  [
    min - 1,
    String(min - 1),
    MAX_INT + 1,
    String(MAX_INT + 1),
    Infinity,
    '99999999999999999999',
    'abc',
    '',
    ' ',
    '1.0',
    '1e3',
    '0x10',
    '1_000',
    '5 6',
    '10s',
    '٣',
    '--5',
    true,
  ].map((value) => ({ name, value, min })),
);

describe('A number', () => {
  it.each(wrongInts)('of $name cannot be $value', ({ name, value, min }) => {
    const shown = typeof value === 'string' ? JSON.stringify(value) : String(value);
    expect(onlyFaultOf(name, value)).toBe(
      `${name}: got ${shown} (${typeof value}); expected a whole number from ${min} to 2147483647`,
    );
  });

  it.each(ints)('of $name can be as small as $min', ({ name, min }) => {
    const others = { 'fetch.wait.max.ms': 0, 'fetch.message.max.bytes': 1, 'fetch.max.bytes': 1 };
    const { config } = resolveConfig({ ...REQUIRED, ...others, [name]: String(min) });
    expect(Object.entries(config)).toContainEqual([name, min]);
  });

  it.each(ints)('of $name can be as large as an int', ({ name }) => {
    const others = { 'socket.timeout.ms': MAX_INT };
    const { config } = resolveConfig({ ...REQUIRED, ...others, [name]: MAX_INT });
    expect(Object.entries(config)).toContainEqual([name, MAX_INT]);
  });
});

describe('A switch', () => {
  it.each(['True', 'TRUE', 'yes', 'on', '1', '', ' ', '\u00a0true'])('cannot be the text %j', (value) => {
    expect(onlyFaultOf('auto.commit.enable', value)).toBe(
      `auto.commit.enable: got ${JSON.stringify(value)} (string); expected true or false`,
    );
  });

  it.each([0, 1])('cannot be the number %d', (value) => {
    expect(onlyFaultOf('auto.commit.enable', value)).toContain(
      `got ${value} (number); expected true or false`,
    );
  });
});

describe('A choice', () => {
  it.each([
    ['auto.offset.reset', 'earliest', '"smallest" here'],
    ['auto.offset.reset', 'latest', '"largest" here'],
    ['auto.offset.reset', 'Largest', 'it must be written "largest", since'],
    ['auto.offset.reset', 'Largest', 'expected "smallest" or "largest"'],
    ['auto.offset.reset', 'largest\u00a0', 'expected "smallest" or "largest"'],
    ['auto.offset.reset', '', 'expected "smallest" or "largest"'],
    ['auto.offset.reset', 'constructor', 'expected "smallest" or "largest"'],
    ['auto.offset.reset', true, 'got true (boolean); expected "smallest" or "largest"'],
    ['partition.assignment.strategy', 'RoundRobin', 'it must be written "roundrobin", since'],
    ['partition.assignment.strategy', 'Range', 'it must be written "range", since'],
    ['partition.assignment.strategy', 'sticky', 'expected "range" or "roundrobin"'],
    ['partition.assignment.strategy', 5, 'expected "range" or "roundrobin"'],
    ['roundrobin.text.order', '0.10', 'expected "0.8" or "1.0"'],
    ['roundrobin.text.order', '1', 'expected "0.8" or "1.0"'],
    ['roundrobin.text.order', 0.8, 'got 0.8 (number); expected "0.8" or "1.0"'],
    ['offsets.storage', 'file', 'expected "zookeeper" or "kafka"'],
    ['offsets.storage', '', 'expected "zookeeper" or "kafka"'],
    ['offsets.storage', false, 'expected "zookeeper" or "kafka"'],
    ['security.protocol', 'TLS', 'expected "PLAINTEXT" or "SSL" or "SASL_PLAINTEXT" or "SASL_SSL"'],
    ['ssl.truststore.type', 'JKS', '"keytool -list -rfc -keystore truststore.jks > truststore.pem"'],
    ['ssl.truststore.type', 'PKCS12', '"openssl pkcs12 -in truststore.p12 -nokeys -out truststore.pem"'],
    ['ssl.keystore.type', 'jks', '"keytool -importkeystore -srckeystore client.jks'],
    ['ssl.keystore.type', 'BCFKS', 'expected "PEM" or "PKCS12"'],
    ['ssl.endpoint.identification.algorithm', 'LDAPS', 'expected "https" or ""'],
    ['sasl.mechanism', 'GSSAPI', 'Kerberos, the default of the JVM, is not supported'],
    ['sasl.mechanism', 'OAUTHBEARER', 'a login by token is not supported'],
    [
      'sasl.mechanism',
      'plain',
      'it must be written "PLAIN", since upper and lower case are not the same here',
    ],
    ['sasl.mechanism', 'Scram-Sha-256', 'it must be written "SCRAM-SHA-256", since'],
    ['sasl.mechanism', 'gssapi', 'Kerberos, the default of the JVM, is not supported'],
    [
      'sasl.mechanism',
      'SCRAM',
      'got "SCRAM" (string); expected "PLAIN" or "SCRAM-SHA-256" or "SCRAM-SHA-512"',
    ],
  ])('of %s cannot be %j', (name, value, why) => {
    expect(onlyFaultOf(name, value)).toContain(why);
  });
});

describe('A list of servers', () => {
  it.each([
    ['bootstrap.servers', 'sasl.jaas.config', 'user:SECRET@host:9092'],
    ['bootstrap.servers', 'sasl.jaas.config', 'h1:9092,SASL_SSL://user:SE/CR:ET@host:9092/x'],
    ['bootstrap.servers', 'sasl.jaas.config', 'h 1,user:SECRET@host'],
    ['bootstrap.servers', 'sasl.jaas.config', ['user:SECRET@host:9092']],
    ['bootstrap.servers', 'sasl.jaas.config', { user: 'SECRET@host' }],
    ['bootstrap.servers', 'sasl.jaas.config', Symbol('user:SECRET@host')],
    ['zookeeper.connect', 'zookeeper.auth', 'user:SECRET@host:2181'],
    ['zookeeper.connect', 'zookeeper.auth', ' h1:2181,user:SECRET@host/kafka'],
    ['zookeeper.connect', 'zookeeper.auth', 'zk://user:SECRET@host:2181/kafka'],
    ['zookeeper.connect', 'zookeeper.auth', 'user:SE/CRET@host:2181'],
    ['zookeeper.connect', 'zookeeper.auth', 'user:SE/CR,ET@host:2181'],
    ['zookeeper.connect', 'zookeeper.auth', 'h1:SECRET/@'],
    ['zookeeper.connect', 'zookeeper.auth', ['user:SECRET@host:2181']],
  ])('of %s shows no user and password, but where they belong, %s', (name, right, value) => {
    const error = connectorErrorOf(() => resolveConfig({ ...REQUIRED, [name]: value }));
    expect(error.message).not.toMatch(/user:|SE\b|CR|ET@/);
    expect(error.message).toContain('(hidden)');
    expect(error.message).toContain(typeof value === 'string' ? right : 'it is not a text');
  });

  it('may be shown without', () => {
    expect(onlyFaultOf('bootstrap.servers', ['host:9092'])).toContain(
      'got ["host:9092"] (array): it is not a text',
    );
    expect(onlyFaultOf('zookeeper.connect', 'h1:x')).toContain(
      'got "h1:x" (string): the server "h1:x" has the port "x"',
    );
  });

  it('of zookeeper.connect may have an "@" in its chroot', () => {
    const { config } = resolveConfig({ ...REQUIRED, 'zookeeper.connect': 'h1:2181/kafka@home' });
    expect(config['zookeeper.connect']).toBe('h1:2181/kafka@home');
  });
});

describe('A name', () => {
  it.each([
    ['group.id', '', 'it is empty'],
    ['group.id', '.', 'cannot be the name of a ZooKeeper node'],
    ['group.id', '..', 'cannot be the name of a ZooKeeper node'],
    ['group.id', 'a:b', 'the character ":"'],
    ['group.id', 'a/b', 'the character "/"'],
    ['group.id', ' ', 'it is empty'],
    ['group.id', 'g h', 'the character U+0020'],
    ['group.id', 'g\nh', 'the character U+000A'],
    ['group.id', 'g\u00a0', 'the character U+00A0'],
    ['group.id', 'größe', 'the character "ö"'],
    ['group.id', 'g😀', 'the character "😀"'],
    ['group.id', 'g'.repeat(32_768), 'the limit is 32767'],
    ['group.id', 5, 'it is not a text'],
    ['group.id', true, 'it is not a text'],
    ['client.id', 'a:b', 'the character ":"'],
    ['client.id', 'ü', 'the character "ü"'],
    ['client.id', 'c'.repeat(32_768), 'the limit is 32767'],
    ['client.id', 5, 'it is not a text'],
    ['consumer.id', '', 'it is empty'],
    ['consumer.id', 'a/b', 'the character "/"'],
    ['consumer.id', 'a\u0000b', 'the character U+0000'],
    ['consumer.id', 'a😀', 'the character "😀"'],
    ['consumer.id', '\ud800', 'the character U+D800'],
    ['consumer.id', '\n', 'it is empty'],
    ['consumer.id', '\u00a0a', 'a blank at its start or end'],
    ['consumer.id', 'a\u3000', 'a blank at its start or end'],
    ['consumer.id', 'c'.repeat(32_768), 'the limit is 32767'],
    ['consumer.id', 5, 'it is not a text'],
    ['zookeeper.connect', '', 'it is empty'],
    ['zookeeper.connect', '[::1]:2181', 'IPv6'],
    ['zookeeper.connect', 'h:x', 'port "x"'],
    ['zookeeper.connect', true, 'it is not a text'],
    ['ssl.truststore.location', '', 'it is empty'],
    ['ssl.truststore.location', 'a\0b', 'U+0000'],
    ['ssl.truststore.certificates', ' ', 'it is empty'],
    ['ssl.keystore.location', '', 'it is empty'],
    ['ssl.keystore.key', '', 'it is empty'],
    ['ssl.keystore.certificate.chain', '', 'it is empty'],
    ['ssl.enabled.protocols', '', 'a version is missing'],
    ['ssl.cipher.suites', 'x', '"x" is no cipher suite'],
    ['bootstrap.servers', 'h', 'has no port'],
    ['zookeeper.auth', 'x', '"digest:"'],
    ['sasl.jaas.config', '', 'it is empty'],
  ])('of %s cannot be %j', (name, value, why) => {
    expect(onlyFaultOf(name, value)).toContain(why);
  });

  it.each([
    ['group.id', 'A-z_0.9'],
    ['group.id', '...'],
    ['client.id', '.'],
    ['client.id', ''],
    ['consumer.id', 'host:1234'],
    ['consumer.id', 'a b-ü'],
    ['consumer.id', '..'],
  ])('of %s can be %j', (name, value) => {
    expect(Object.entries(resolveConfig({ ...REQUIRED, [name]: value }).config)).toContainEqual([
      name,
      value,
    ]);
  });

  it('is shortened in the message', () => {
    expect(onlyFaultOf('group.id', ':'.repeat(5000)).length).toBeLessThan(400);
  });
});

describe('A text with blanks around it', () => {
  it.each([
    ['group.id', ' g\n', 'g'],
    ['client.id', '\tc ', 'c'],
    ['client.id', ' ', ''],
    ['consumer.id', ' a b ', 'a b'],
    ['zookeeper.connect', ' h1:2181 ', 'h1:2181'],
    ['auto.commit.enable', 'false ', false],
    ['auto.offset.reset', ' smallest', 'smallest'],
    ['offsets.storage', 'Kafka\r', 'kafka'],
    ['fetch.wait.max.ms', ' 50\t', 50],
  ])('is taken without them, as by later releases of the JVM: %s, %j', (name, value, taken) => {
    const { config } = resolveConfig({ ...REQUIRED, [name]: value });
    expect(Object.entries(config)).toContainEqual([name, taken]);
  });

  it('is taken with them if it is a secret', () => {
    const { config } = resolveConfig({ ...REQUIRED, 'zookeeper.auth': 'digest:u:p ' });
    expect(config['zookeeper.auth']).toBe('digest:u:p ');
  });
});
