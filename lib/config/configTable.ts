import { ConnectorError } from '../errors';
import { parseConnectString } from '../zookeeper/connectString';
import { idFault, nameFault } from './nameRules';
import type { Setting, ValueOf } from './settingTypes';

/**
 * Every property that means something in this version, in the order of the documentation.
 * A property that another takes its default from stands before it.
 */
export const CONFIG_TABLE = {
  'group.id': {
    type: 'string',
    default: 'required',
    expected: 'one or more of the characters a-z A-Z 0-9 . _ - (but not "." or "..")',
    fault: (text) => nameFault(text, { mayBeEmpty: false }),
    doc: 'Name of the consumer group. Members of one group share the partitions of their topics.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'zookeeper.connect': {
    type: 'string',
    default: 'required',
    expected: 'host1:port1,host2:port2/chroot',
    fault: connectStringFault,
    doc: 'ZooKeeper servers, separated by commas, with an optional chroot once at the end. The port is 2181 if none is given.',
    source: 'kafka.utils.ZKConfig',
  },
  'consumer.id': {
    type: 'string',
    default: 'generated',
    expected: 'a text that can be part of the name of a ZooKeeper node',
    fault: idFault,
    doc: 'Name of this member, unique in its group. If none is given it is made of host name, time and a random number.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'client.id': {
    type: 'string',
    default: { from: 'group.id' },
    expected: 'characters a-z A-Z 0-9 . _ -',
    fault: (text) => nameFault(text, { mayBeEmpty: true }),
    doc: 'Name that brokers show for the requests of this client, in logs, metrics and quotas.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'zookeeper.session.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: 6000,
    min: 1,
    doc: 'A member that ZooKeeper does not hear from for so long is dead. The server may shorten or lengthen it.',
    source: 'kafka.utils.ZKConfig',
  },
  'zookeeper.connection.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: { from: 'zookeeper.session.timeout.ms' },
    min: 1,
    doc: 'How long to wait for the first connection to ZooKeeper.',
    source: 'kafka.utils.ZKConfig',
  },
  'zookeeper.sync.time.ms': {
    type: 'int',
    unit: 'ms',
    default: 2000,
    min: 0,
    doc: 'How far a ZooKeeper follower may be behind its leader. Its only use is the default of `rebalance.backoff.ms`.',
    source: 'kafka.utils.ZKConfig',
  },
  'socket.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: 30_000,
    min: 1,
    notBelow: 'fetch.wait.max.ms',
    doc: 'How long to wait for the answer of a broker.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'socket.receive.buffer.bytes': {
    type: 'int',
    unit: 'bytes',
    default: 65_536,
    min: -1,
    doc: 'Accepted without effect: Node has no way to set the receive buffer of a socket, the operating system chooses it.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'fetch.message.max.bytes': {
    type: 'int',
    unit: 'bytes',
    default: 1_048_576,
    min: 1,
    doc: 'How much to fetch from one partition in one request.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'fetch.max.bytes': {
    type: 'int',
    unit: 'bytes',
    default: { from: 'fetch.message.max.bytes', atLeast: 52_428_800 },
    min: 1,
    notBelow: 'fetch.message.max.bytes',
    doc: 'How much to fetch from all partitions together in one request, and how far the size for one partition may grow when a message does not fit. The JVM reads this property but does not use it.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'num.consumer.fetchers': {
    type: 'int',
    default: 1,
    min: 1,
    doc: 'How many fetchers, each with its connection, share the partitions of one broker.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'fetch.min.bytes': {
    type: 'int',
    unit: 'bytes',
    default: 1,
    min: 0,
    doc: 'The broker answers a fetch when it has so much, or after `fetch.wait.max.ms`. With 0 it answers at once, even with nothing, which keeps broker and client busy.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'fetch.wait.max.ms': {
    type: 'int',
    unit: 'ms',
    default: 100,
    min: 0,
    doc: 'How long a broker may wait for `fetch.min.bytes`.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'queued.max.message.chunks': {
    type: 'int',
    default: 2,
    min: 1,
    doc: 'How many chunks may wait in the queue of one stream; a chunk is what one fetch brought from one partition.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'auto.commit.enable': {
    type: 'boolean',
    default: true,
    doc: 'Whether offsets of processed messages are stored without being asked for: at an interval, in rebalances and at shutdown.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'auto.commit.interval.ms': {
    type: 'int',
    unit: 'ms',
    default: 60_000,
    min: 1,
    doc: 'Time between two automatic commits.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'auto.offset.reset': {
    type: 'choice',
    choices: ['smallest', 'largest'],
    default: 'largest',
    answers: {
      earliest: 'the word for it is "smallest" here ("earliest" belongs to the newer Java consumer)',
      latest: 'the word for it is "largest" here ("latest" belongs to the newer Java consumer)',
    },
    doc: 'Where to start in a partition that has no stored offset, or one that the broker does not have (any more).',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'consumer.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: -1,
    min: -1,
    doc: 'A stream that gets no message for so long rejects with CONSUMER_TIMEOUT; -1 waits without end.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'rebalance.max.retries': {
    type: 'int',
    default: 4,
    min: 1,
    doc: 'How many attempts a rebalance has before it counts as failed. It goes on behind that, with growing pauses.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'rebalance.backoff.ms': {
    type: 'int',
    unit: 'ms',
    // With 0 a failed rebalance would be tried again without a pause.
    default: { from: 'zookeeper.sync.time.ms', atLeast: 1 },
    min: 1,
    doc: 'Pause before the next attempt of a failed rebalance, at most.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'refresh.leader.backoff.ms': {
    type: 'int',
    unit: 'ms',
    default: 200,
    // With 0 a partition without a leader would be looked up without a pause.
    min: 1,
    doc: 'Pause before the next look-up of the leader of a partition.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'partition.assignment.strategy': {
    type: 'choice',
    choices: ['range'],
    default: 'range',
    answers: { roundrobin: 'this strategy is not supported yet, only "range" is' },
    doc: 'How partitions are shared among the threads of a group. All members must have the same.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'offsets.storage': {
    type: 'choice',
    choices: ['zookeeper'],
    default: 'zookeeper',
    ignoreCase: true,
    answers: { kafka: 'this storage is not supported yet, only "zookeeper" is' },
    doc: 'Where offsets are stored.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'rebalance.drain.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: 2000,
    min: 0,
    doc: 'How long a rebalance or a shutdown waits for the application to finish the messages it has, before their partitions are released.',
    source: 'this package',
  },
} as const satisfies Readonly<Record<string, Setting>>;

type Table = typeof CONFIG_TABLE;

/** The name of a property that means something in this version. */
export type ConfigKey = keyof Table;

/** All properties with their checked values or defaults. */
export type ResolvedConfig = { readonly [K in ConfigKey]: ValueOf<Table[K]> };

function connectStringFault(text: string): string | undefined {
  try {
    parseConnectString(text);
    return undefined;
  } catch (error) {
    if (!ConnectorError.is(error)) throw error;
    return error.context.faults?.[0] ?? error.message;
  }
}
