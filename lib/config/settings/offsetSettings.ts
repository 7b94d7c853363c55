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
    choices: ['zookeeper'],
    default: 'zookeeper',
    ignoreCase: true,
    answers: { kafka: 'this storage is not supported yet, only "zookeeper" is' },
    doc: 'Where offsets are stored.',
    source: 'kafka.consumer.ConsumerConfig',
  },
} as const satisfies Settings;
