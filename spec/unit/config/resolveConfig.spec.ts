import { createContext, runInContext } from 'node:vm';
import type { ConnectorConfig } from '../../../lib/config/ConnectorConfig';
import { CONFIG_SUBJECTS, CONFIG_TABLE } from '../../../lib/config/configTable';
import { resolveConfig, type ResolvedConfig } from '../../../lib/config/resolveConfig';
import { connectorErrorOf } from '../connectorErrorOf';

const REQUIRED: ConnectorConfig = { 'group.id': 'g', 'zookeeper.connect': 'h1:2181/kafka' };
const resolve = (settings: object): ResolvedConfig => resolveConfig({ ...REQUIRED, ...settings }).config;
const warnings = (settings: object): string[] => resolveConfig({ ...REQUIRED, ...settings }).warnings;
const faultsOf = (input: unknown): readonly string[] =>
  connectorErrorOf(() => resolveConfig(input)).context.faults ?? [];

describe('resolveConfig', () => {
  it('fills in the defaults of the JVM connector', () => {
    expect(resolveConfig(REQUIRED)).toEqual({
      config: {
        'group.id': 'g',
        'consumer.id': undefined,
        'client.id': 'g',
        'exclude.internal.topics': true,
        'zookeeper.connect': 'h1:2181/kafka',
        'zookeeper.session.timeout.ms': 6000,
        'zookeeper.connection.timeout.ms': 6000,
        'zookeeper.sync.time.ms': 2000,
        'zookeeper.auth': undefined,
        'zookeeper.set.acl': false,
        'bootstrap.servers': undefined,
        'socket.timeout.ms': 30_000,
        'socket.receive.buffer.bytes': 65_536,
        'fetch.message.max.bytes': 1_048_576,
        'fetch.max.bytes': 52_428_800,
        'num.consumer.fetchers': 1,
        'fetch.min.bytes': 1,
        'fetch.wait.max.ms': 100,
        'isolation.level': 'read_uncommitted',
        'queued.max.message.chunks': 2,
        'refresh.leader.backoff.ms': 200,
        'consumer.timeout.ms': -1,
        'auto.commit.enable': true,
        'auto.commit.interval.ms': 60_000,
        'auto.offset.reset': 'largest',
        'offsets.storage': 'zookeeper',
        'dual.commit.enabled': false,
        'offsets.channel.backoff.ms': 1000,
        'offsets.channel.socket.timeout.ms': 10_000,
        'offsets.commit.max.retries': 5,
        'rebalance.max.retries': 4,
        'rebalance.backoff.ms': 2000,
        'partition.assignment.strategy': 'range',
        'roundrobin.text.order': '0.8',
        'rebalance.drain.timeout.ms': 2000,
        'security.protocol': 'PLAINTEXT',
        'ssl.truststore.type': 'PEM',
        'ssl.truststore.location': undefined,
        'ssl.truststore.certificates': undefined,
        'ssl.truststore.password': undefined,
        'ssl.keystore.type': 'PEM',
        'ssl.keystore.location': undefined,
        'ssl.keystore.password': undefined,
        'ssl.keystore.key': undefined,
        'ssl.keystore.certificate.chain': undefined,
        'ssl.key.password': undefined,
        'ssl.enabled.protocols': 'TLSv1.2,TLSv1.3',
        'ssl.cipher.suites': undefined,
        'ssl.endpoint.identification.algorithm': 'https',
        'sasl.mechanism': undefined,
        'sasl.jaas.config': undefined,
      },
      security: { protocol: 'PLAINTEXT' },
      warnings: [],
    });
  });

  it('has each property of the table in its result', () => {
    expect(Object.keys(resolve({})).sort()).toEqual(Object.keys(CONFIG_TABLE).sort());
    expect(CONFIG_SUBJECTS.flatMap(({ settings }) => Object.keys(settings))).toEqual(
      Object.keys(CONFIG_TABLE),
    );
    expect(Object.isFrozen(resolve({}))).toBe(true);
  });

  it('takes typed values and the text of a properties file alike', () => {
    const typed = { 'auto.commit.enable': false, 'fetch.wait.max.ms': 50, 'consumer.timeout.ms': -1 };
    const text = { 'auto.commit.enable': 'false', 'fetch.wait.max.ms': ' 50\t', 'consumer.timeout.ms': '-1' };
    expect(resolve(text)).toEqual(resolve(typed));
    expect(resolve({ 'consumer.timeout.ms': '+5' })['consumer.timeout.ms']).toBe(5);
    expect(Object.is(resolve({ 'fetch.min.bytes': '-0' })['fetch.min.bytes'], 0)).toBe(true);
    expect(resolve({ 'offsets.storage': 'ZooKeeper' })['offsets.storage']).toBe('zookeeper');
    expect(resolve({ 'security.protocol': 'plaintext' })['security.protocol']).toBe('PLAINTEXT');
  });

  it('takes a default from another property', () => {
    const config = resolve({ 'zookeeper.session.timeout.ms': 9000, 'zookeeper.sync.time.ms': '2500' });
    expect(config['zookeeper.connection.timeout.ms']).toBe(9000);
    expect(config['rebalance.backoff.ms']).toBe(2500);
    expect(resolve({ 'zookeeper.sync.time.ms': 0 })['rebalance.backoff.ms']).toBe(1);
    expect(resolve({ 'client.id': '' })['client.id']).toBe('');
  });

  it('commits to both storages by default if offsets are stored in Kafka', () => {
    const kafka = { 'offsets.storage': 'KAFKA' };
    expect(resolve(kafka)['offsets.storage']).toBe('kafka');
    expect(resolve(kafka)['dual.commit.enabled']).toBe(true);
    expect(resolve({ ...kafka, 'dual.commit.enabled': 'false' })['dual.commit.enabled']).toBe(false);
  });

  it('lets the limit of a whole fetch follow a raised limit of a partition', () => {
    expect(resolve({ 'fetch.message.max.bytes': 60_000_000 })['fetch.max.bytes']).toBe(60_000_000);
    expect(resolve({ 'fetch.message.max.bytes': 1000 })['fetch.max.bytes']).toBe(52_428_800);
    expect(faultsOf({ ...REQUIRED, 'fetch.max.bytes': 1000 })).toEqual([
      'fetch.max.bytes: got 1000 (number); expected at least the value of fetch.message.max.bytes, which is 1048576',
    ]);
  });

  it('refuses a socket timeout below the time that a broker may wait, given or not', () => {
    expect(faultsOf({ ...REQUIRED, 'socket.timeout.ms': '99' })).toEqual([
      'socket.timeout.ms: got "99" (string); expected at least the value of fetch.wait.max.ms, which is 100',
    ]);
    expect(faultsOf({ ...REQUIRED, 'fetch.wait.max.ms': 30_001 })).toEqual([
      'socket.timeout.ms: the default is 30000; expected at least the value of fetch.wait.max.ms, which is 30001',
    ]);
    expect(resolve({ 'socket.timeout.ms': 100 })['socket.timeout.ms']).toBe(100);
  });

  it('counts undefined as not given', () => {
    expect(resolve({ 'consumer.id': undefined, 'socket.timeout.ms': undefined })['socket.timeout.ms']).toBe(
      30_000,
    );
    expect(faultsOf({ ...REQUIRED, 'group.id': undefined })).toEqual([
      expect.stringContaining('group.id: is missing'),
    ]);
  });

  it('reports all faults at once, one a line', () => {
    const error = connectorErrorOf(() =>
      resolveConfig({
        'group.id': 'a b',
        'zookeeper.connect': 'h1:1/a,h2:1/a',
        'num.consumer.fetchers': 0,
        'auto.offset.reset': 'earliest',
      }),
    );
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.retriable).toBe(false);
    expect(error.message.split('\n')).toEqual([
      'The configuration has 4 faults:',
      ...(error.context.faults ?? []).map((fault) => `- ${fault}`),
    ]);
    expect(error.context.faults?.map((fault) => fault.split(':', 1)[0])).toEqual([
      'group.id',
      'zookeeper.connect',
      'num.consumer.fetchers',
      'auto.offset.reset',
    ]);
  });

  it('shows the right form of a connect string with a repeated chroot', () => {
    expect(faultsOf({ ...REQUIRED, 'zookeeper.connect': 'h1:1/a,h2:1/a' })[0]).toContain('"h1:1,h2:1/a"');
  });

  it('finds the property that was meant when a required one is missing', () => {
    expect(faultsOf({ groupId: 'g', 'zookeeper.conect': 'h' })).toEqual([
      expect.stringContaining('group.id: is missing (there is "groupId", is that meant?)'),
      expect.stringContaining('zookeeper.connect: is missing (there is "zookeeper.conect", is that meant?)'),
    ]);
  });
});

describe('An input that is not a plain object', () => {
  it.each([
    ['undefined', undefined],
    ['null', null],
    ['an array', [REQUIRED]],
    ['a text', 'group.id=g'],
    ['a number', 5],
    ['a symbol', Symbol('x')],
    ['a bigint', 5n],
    ['a function', () => REQUIRED],
    ['a map', new Map(Object.entries(REQUIRED))],
    ['an object of a class', new Date(0)],
    ['a circular array', [[]].map((_, __, all) => all)],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new TypeError('no');
          },
        },
      ),
    ],
    [
      'a getter that throws',
      {
        get 'group.id'(): string {
          throw new TypeError('no');
        },
      },
    ],
  ])('is a fault of its own: %s', (_what, input) => {
    expect(faultsOf(input)).toEqual([expect.stringMatching(/^The configuration itself: /)]);
  });

  it.each([
    ['a text', 'sasl.jaas.config=secret'],
    ['an array', [{ 'sasl.jaas.config': 'secret' }]],
    ['an object of a class', new Map(Object.entries({ 'sasl.jaas.config': 'secret' }))],
    [
      'an object of a class with fields',
      Object.assign(new Date(0), { password: 'secret', toJSON: undefined }),
    ],
  ])('is not shown, since it may have passwords: %s', (_what, input) => {
    expect(faultsOf(input).join()).not.toContain('secret');
  });

  it('may have no prototype, or that of another realm', () => {
    const bare = Object.assign(Object.create(null) as object, REQUIRED);
    const foreign: unknown = runInContext(`(${JSON.stringify(REQUIRED)})`, createContext());
    expect(resolveConfig(bare).config['group.id']).toBe('g');
    expect(resolveConfig(foreign).config['group.id']).toBe('g');
  });

  it('does not count properties of a prototype', () => {
    const parsed: unknown = JSON.parse('{"__proto__":{"group.id":"g"},"zookeeper.connect":"h"}');
    expect(faultsOf(parsed)).toEqual([expect.stringContaining('group.id: is missing')]);
  });
});

describe('zookeeper.set.acl', () => {
  it('needs credentials', () => {
    expect(faultsOf({ ...REQUIRED, 'zookeeper.set.acl': 'true' })).toEqual([
      expect.stringMatching(/^zookeeper\.set\.acl: got true without zookeeper\.auth/),
    ]);
    const config = resolve({ 'zookeeper.set.acl': true, 'zookeeper.auth': 'digest:u:p:q' });
    expect(config['zookeeper.set.acl']).toBe(true);
    expect(config['zookeeper.auth']).toBe('digest:u:p:q');
  });

  it('is no second fault if the credentials are wrong', () => {
    expect(faultsOf({ ...REQUIRED, 'zookeeper.set.acl': true, 'zookeeper.auth': 'u:p' })).toEqual([
      'zookeeper.auth: got a text of 3 characters (hidden): it does not start with "digest:", the only scheme that ' +
        'is supported; expected digest:user:password',
    ]);
  });
});

describe('Warnings', () => {
  it.each([
    'mirror.topics.whitelist',
    'mirror.consumer.numthreads',
    'ssl.protocol',
    'sasl.kerberos.service.name',
  ])('say that %s has no effect in this version', (name) => {
    expect(warnings({ [name]: 'x' })).toEqual([`The property "${name}" has no effect in this version.`]);
  });

  it.each([
    ['auto.comit.enable', 'auto.commit.enable'],
    ['auto.commit.enabled', 'auto.commit.enable'],
    ['enable.auto.commit', 'auto.commit.enable'],
    ['fetch.max.wait.ms', 'fetch.wait.max.ms'],
    ['ssl.trustore.location', 'ssl.truststore.location'],
    ['sasl.mechanisms', 'sasl.mechanism'],
    ['bootstrapServers', 'bootstrap.servers'],
    ['clientId', 'client.id'],
    ['client_id', 'client.id'],
    ['ZOOKEEPER.SESSION.TIMEOUT.MS', 'zookeeper.session.timeout.ms'],
  ])('ask whether %s was meant to be %s', (name, meant) => {
    expect(warnings({ [name]: 'x' })).toEqual([
      `The property "${name}" is not known and has no effect. Did you mean "${meant}"?`,
    ]);
  });

  it('are given for a hundred names, and then counted: more would hide the others', () => {
    const input = Object.fromEntries(Array.from({ length: 103 }, (_, n) => [`no.such.property.${n}`, 'x']));
    const all = warnings(input);
    expect(all).toHaveLength(101);
    expect(all.at(-1)).toBe('3 more properties are not known and have no effect.');
  });

  it.each(['key.deserializer', 'x', '', 'constructor', '__proto__', 'toString', 'acks'])(
    'only say that %j is not known',
    (name) => {
      const input: unknown = JSON.parse(`{"${name}":1,"group.id":"g","zookeeper.connect":"h"}`);
      expect(resolveConfig(input).warnings).toEqual([
        `The property ${JSON.stringify(name)} is not known and has no effect.`,
      ]);
    },
  );

  it('are not given for names that start with external, nor are values of unknown properties shown', () => {
    expect(warnings({ 'external.x': 1, externals: 2 })).toEqual([]);
    expect(warnings({ 'sasl.password': 'secret' }).join()).not.toContain('secret');
  });

  it('tell when the attempts of a rebalance may be over before a crashed member is gone', () => {
    const [warning, ...others] = warnings({ 'rebalance.max.retries': 3 });
    expect(warning).toContain(
      '3 x 2000 = 6000 ms, which is not more than zookeeper.session.timeout.ms (6000)',
    );
    expect(others).toEqual([]);
    expect(warnings({ 'rebalance.max.retries': 3, 'rebalance.backoff.ms': 2001 })).toEqual([]);
  });

  it('tell when the attempts of a rebalance may be over before another member has drained', () => {
    expect(warnings({ 'rebalance.drain.timeout.ms': 8000 })).toEqual([
      expect.stringContaining('not more than rebalance.drain.timeout.ms (8000)'),
    ]);
    expect(warnings({ 'rebalance.drain.timeout.ms': 7999 })).toEqual([]);
  });

  it('tell that both storages are not used while offsets are stored in ZooKeeper', () => {
    const both = { 'dual.commit.enabled': 'true' };
    expect(warnings(both)).toEqual([
      expect.stringMatching(/^dual\.commit\.enabled .* no effect while offsets\.storage is zookeeper/),
    ]);
    expect(warnings({ ...both, 'offsets.storage': 'kafka' })).toEqual([]);
    expect(warnings({ 'dual.commit.enabled': false })).toEqual([]);
    expect(warnings({ 'offsets.storage': 'kafka' })).toEqual([]);
  });

  it('tell that the text order of roundrobin means nothing to range', () => {
    const order = { 'roundrobin.text.order': '0.8' };
    expect(warnings(order)).toEqual([
      expect.stringMatching(
        /^roundrobin\.text\.order .* no effect while partition\.assignment\.strategy is range/,
      ),
    ]);
    expect(warnings({ ...order, 'partition.assignment.strategy': 'roundrobin' })).toEqual([]);
    expect(warnings({ 'partition.assignment.strategy': 'roundrobin' })).toEqual([]);
  });
});
