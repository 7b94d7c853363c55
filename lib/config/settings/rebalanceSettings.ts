import type { Settings } from '../settingTypes';

/** How the partitions of a group are shared anew. */
export const REBALANCE_SETTINGS = {
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
  'partition.assignment.strategy': {
    type: 'choice',
    choices: ['range', 'roundrobin'],
    default: 'range',
    doc: 'How partitions are shared among the threads of a group: topic by topic in runs (range), or those of all topics in turn (roundrobin). All members must have the same.',
    source: 'kafka.consumer.ConsumerConfig',
  },
  'roundrobin.text.order': {
    type: 'choice',
    choices: ['0.8', '1.0'],
    default: '0.8',
    doc: 'The order in which roundrobin takes the partitions, which Kafka has changed: "0.8" is that of JVM members from 0.8.2 to 0.11, "1.0" that of later ones. All members must have the same; JVM members of both kinds in one group never agree.',
    source: 'this package',
  },
  'rebalance.drain.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: 2000,
    min: 0,
    doc: 'How long a rebalance or a shutdown waits for the application to finish the messages it has, before their partitions are released.',
    source: 'this package',
  },
} as const satisfies Settings;
