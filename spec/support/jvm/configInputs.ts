import { CONFIG_TABLE } from '../../../lib/config/configTable';
import type { Setting } from '../../../lib/config/settingTypes';
import { CONFIG_GETTERS, type SharedName } from './configGetters';

/** Texts by name, as in a properties file. */
export type Properties = Readonly<Record<string, string>>;

export const REQUIRED: Properties = { 'group.id': 'g', 'zookeeper.connect': 'h1:2181,h2:2181/kafka' };

const NAMES = Object.keys(CONFIG_GETTERS) as SharedName[];

/** The properties of this type that both know. */
export function namesOf(type: Setting['type']): SharedName[] {
  return NAMES.filter((name) => CONFIG_TABLE[name].type === type);
}

/** Each of these properties with each of these values, one at a time. */
export function eachWith(names: readonly SharedName[], values: readonly string[]): Properties[] {
  return names.flatMap((name) => values.map((value) => ({ ...REQUIRED, [name]: value })));
}

/** A digit for Java, but not for us. */
export const FOREIGN_DIGIT = '\u0663';

export const NUMBERS: readonly string[] = [
  ...['0', '1', '-1', '-2', '99', '100', '30001', '60000000', '+5', '-0', '007'],
  ...['2147483647', '2147483648', '-2147483648', '-2147483649', '99999999999999999999'],
  ...[
    ' 5',
    '5 ',
    '\t5\n',
    '5\u00a0',
    '',
    ' ',
    '-',
    '+',
    '--5',
    '5 6',
    '5.0',
    '5e1',
    '0x5',
    '5L',
    '1_000',
    '1,000',
  ],
  ...['five', 'true', 'NaN', 'null', FOREIGN_DIGIT],
];

export const SWITCHES: readonly string[] = [
  ...[
    'true',
    'false',
    'True',
    'TRUE',
    'FALSE',
    ' true',
    'false ',
    '',
    ' ',
    '1',
    '0',
    'yes',
    'no',
    'on',
    'null',
  ],
];

export const WORDS: readonly string[] = [
  ...['smallest', 'largest', 'Smallest', 'LARGEST', ' largest', 'smallest ', 'earliest', 'latest', 'none'],
  ...['zookeeper', 'kafka', 'ZooKeeper', 'KAFKA', 'Kafka', ' kafka', 'kafka ', 'both', 'file'],
  ...['range', 'roundrobin', 'Range', 'RoundRobin', ' range', 'roundrobin ', 'round-robin', 'sticky'],
  ...['', ' ', '0', 'true'],
];

/** Those of Kafka's own test, and some more. */
export const BAD_CHARACTERS: readonly string[] = [
  ...['/', '\\', ',', '\0', ':', '"', "'", ';', '*', '?', ' ', '\t', '\r', '\n', '='],
  ...['@', '#', '$', '%', '&', '(', ')', '[', ']', '{', '}', '<', '>', '|', '~', '^', '!', '+', '`'],
  ...['é', '\u00a0', '\u0663', '\u{1f600}'],
];

export const GOOD_NAMES: readonly string[] = [
  ...['a', 'A', '0', '_', '-', '.a', '...', '-_-', 'valid-._', 'valid.group_id-1', 'x'.repeat(249)],
];

export const MEMBER_NAMES: readonly string[] = [
  ...['c1', 'a b', 'host:1234', '..', 'ü', 'A=b', '', ' ', ' c', 'c ', 'a/b', 'a\0b', 'a\nb', '\u{1f600}'],
];

export const SERVERS: readonly string[] = [
  ...['h', 'h:2181', 'h1,h2', 'h1:1,h2:2', 'h:1/chroot', 'h1:1,h2:2/a/b', '127.0.0.1:2181', 'h:1/'],
  ...['', ' ', ',', 'h:', 'h:x', 'h:0', 'h:65536', ':2181', 'h:1,,h:2', 'h:1/a,h:2/a', 'h:1//a', 'zk://h:1'],
];

export const COMBINATIONS: readonly Properties[] = [
  {},
  { 'group.id': 'g' },
  { 'zookeeper.connect': 'h' },
  { 'client.id': 'c' },
  { 'group.id': 'a b', 'client.id': 'c', 'zookeeper.connect': 'h' },
  { 'group.id': 'a b', 'zookeeper.connect': 'h' },
  { ...REQUIRED, 'socket.timeout.ms': '100', 'fetch.wait.max.ms': '100' },
  { ...REQUIRED, 'socket.timeout.ms': '99', 'fetch.wait.max.ms': '100' },
  { ...REQUIRED, 'socket.timeout.ms': '100', 'fetch.wait.max.ms': '101' },
  { ...REQUIRED, 'fetch.wait.max.ms': '30000' },
  { ...REQUIRED, 'zookeeper.session.timeout.ms': '9000' },
  { ...REQUIRED, 'zookeeper.session.timeout.ms': '9000', 'zookeeper.connection.timeout.ms': '5' },
  { ...REQUIRED, 'zookeeper.sync.time.ms': '700' },
  { ...REQUIRED, 'zookeeper.sync.time.ms': '700', 'rebalance.backoff.ms': '9' },
  { ...REQUIRED, 'offsets.storage': 'kafka', 'dual.commit.enabled': 'false' },
  { ...REQUIRED, 'offsets.storage': 'KAFKA' },
  { ...REQUIRED, 'offsets.storage': 'zookeeper', 'dual.commit.enabled': 'true' },
  { ...REQUIRED, 'dual.commit.enabled': 'true' },
  { ...REQUIRED, 'fetch.message.max.bytes': '2000', 'fetch.max.bytes': '2000' },
  { ...REQUIRED, 'fetch.message.max.bytes': '2000', 'fetch.max.bytes': '1999' },
  { ...REQUIRED, 'fetch.message.max.bytes': '52428801' },
  { ...REQUIRED, 'consumer.id': 'c1', 'client.id': '', 'auto.offset.reset': 'smallest' },
  { ...REQUIRED, 'auto.commit.enable': 'no', 'auto.offset.reset': 'earliest', 'fetch.min.bytes': 'x' },
  { ...REQUIRED, 'no.such.property': 'x', 'external.property': 'y', 'mirror.topics.whitelist': 'z' },
  { ...REQUIRED, 'GROUP.ID': 'h', groupid: 'i', 'group.id ': 'j' },
];
