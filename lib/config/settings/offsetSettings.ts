import type { Settings } from '../settingTypes';

/** Where a partition is read from, and when that is stored. */
export const OFFSET_SETTINGS = {
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
  'offsets.storage': {
    type: 'choice',
    choices: ['zookeeper', 'kafka'],
    default: 'zookeeper',
    ignoreCase: true,
    doc: 'Where offsets are stored: in ZooKeeper, or with the group coordinator of the brokers (from 0.8.2 on).',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'dual.commit.enabled': {
    type: 'boolean',
    default: { trueIf: 'offsets.storage', is: 'kafka' },
    doc: 'With `offsets.storage` kafka: whether each offset is also written to ZooKeeper, and the larger of the two is where a partition starts. For a group on its way from one to the other. To go back to an earlier offset, both have to be set.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'offsets.channel.backoff.ms': {
    type: 'int',
    unit: 'ms',
    default: 1000,
    // With 0 a coordinator that refuses would be asked without a pause.
    min: 1,
    doc: 'Pause before the next try to find the group coordinator, to store offsets there, or to read them.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'offsets.channel.socket.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: 10_000,
    min: 1,
    doc: 'How long one commit to the group coordinator, or one reading of offsets there, may take in all: finding it, connecting and further tries included. A rebalance and a shutdown go on after that.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'offsets.commit.max.retries': {
    type: 'int',
    default: 5,
    min: 0,
    doc: 'How often a commit to Kafka that has failed is tried again: in a rebalance, at shutdown and by `commitOffsets`. An automatic commit is not: the next interval is its next try. Reading offsets has as many tries.',
    source: 'kafka.consumer.ConsumerConfig',
  },
} as const satisfies Settings;
