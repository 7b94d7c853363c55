import { parseBootstrapServers } from '../bootstrapServers';
import { faultOf } from '../parseFault';
import type { Settings } from '../settingTypes';

/** How messages come from the brokers. */
export const FETCH_SETTINGS = {
  'bootstrap.servers': {
    type: 'string',
    default: 'none',
    secretWithAt: true,
    expected: 'host1:port1,host2:port2 (an IPv6 address in brackets)',
    fault: faultOf(parseBootstrapServers),
    doc: 'Brokers to ask for all others when none is registered in ZooKeeper, because they have moved to KRaft. Not used while /brokers/ids has any.',
    source: 'org.apache.kafka.clients.CommonClientConfigs',
  },
  'socket.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: 30_000,
    min: 1,
    notBelow: 'fetch.wait.max.ms',
    doc: 'How long to wait for the answer of a broker, or for more of it: a long one on a slow line is on its way as long as bytes come.',
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
    doc: 'How much to fetch from all partitions together in one request, and how far the size for one partition may grow when a message does not fit. Brokers from 0.10.1 on give one message or batch whatever its size, so there it is too large only above 128 MiB and twice this value. The JVM reads this property but does not use it.',
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
  'isolation.level': {
    type: 'choice',
    choices: ['read_uncommitted', 'read_committed'],
    default: 'read_uncommitted',
    doc: 'Whether messages of transactions that are aborted, or not yet committed, are read, too (KIP-98). With read_committed a partition is read up to the beginning of its first open transaction, and `largest` means that place, as in the Java client: so what is committed later is not left out. Brokers before 0.11 have no transactions; there it changes nothing.',
    source: 'org.apache.kafka.clients.consumer.ConsumerConfig',
  },
  'queued.max.message.chunks': {
    type: 'int',
    default: 2,
    min: 1,
    doc: 'How many chunks may wait in the queue of one stream; a chunk is what one fetch brought from one partition.',
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
  'consumer.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: -1,
    min: -1,
    doc: 'A stream that gets no message for so long rejects with CONSUMER_TIMEOUT; -1 waits without end.',
    source: 'kafka.consumer.ConsumerConfig',
  },
} as const satisfies Settings;
