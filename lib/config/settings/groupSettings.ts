import { idFault, nameFault } from '../nameRules';
import type { Settings } from '../settingTypes';

/** Who this member is. */
export const GROUP_SETTINGS = {
  'group.id': {
    type: 'string',
    default: 'required',
    expected: 'one or more of the characters a-z A-Z 0-9 . _ - (but not "." or "..")',
    fault: (text) => nameFault(text, { mayBeEmpty: false }),
    doc: 'Name of the consumer group. Members of one group share the partitions of their topics.',
    source: 'kafka.consumer.ConsumerConfig',
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
  'exclude.internal.topics': {
    type: 'boolean',
    default: true,
    doc: 'Whether the topics that Kafka keeps for itself (`__consumer_offsets`, `__transaction_state`) are left out of what a topic filter matches. All members must have the same.',
    source: 'kafka.consumer.ConsumerConfig',
  },
} as const satisfies Settings;
