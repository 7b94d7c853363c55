import { refuseWrongTopic } from '../../../lib/testing/topicArguments';

const BROKERS = 3;

describe('a topic that is to be made', () => {
  it.each<[string, object]>([
    ['nothing but its name', {}],
    ['numbers', { partitions: 10_000, replicas: 3 }],
    ['an assignment', { assignment: [[1, 2], [3]] }],
    ['an assignment and its number of partitions', { partitions: 2, replicas: 1, assignment: [[1], [2]] }],
    [
      'a configuration that has an effect here',
      {
        config: {
          'max.message.bytes': '2000',
          'min.insync.replicas': '2',
          'message.timestamp.type': 'LogAppendTime',
          'message.format.version': '0.10.0-IV1',
          'unclean.leader.election.enable': 'true',
        },
      },
    ],
    [
      'a configuration without effect',
      {
        config: {
          'cleanup.policy': 'compact,delete',
          'retention.ms': '-1',
          'min.cleanable.dirty.ratio': '0.01',
        },
      },
    ],
  ])('may have %s', (_, options) => {
    expect(() => refuseWrongTopic('a.B_c-1', options, { kafka: '3.9', brokers: BROKERS })).not.toThrow();
  });

  it.each<[string, unknown, string]>([
    ['a number', 3, 'options must be an object such as { partitions: 4, replicas: 2 }, not 3 (number)'],
    ['null', null, 'options must be an object such as { partitions: 4, replicas: 2 }, not null'],
    ['no partitions', { partitions: 0 }, 'partitions must be a whole number from 1 to 10000, not 0 (number)'],
    [
      'half a partition',
      { partitions: 1.5 },
      'partitions must be a whole number from 1 to 10000, not 1.5 (number)',
    ],
    [
      'partitions as text',
      { partitions: '2' },
      'partitions must be a whole number from 1 to 10000, not "2" (string)',
    ],
    ['more partitions than memory', { partitions: 1e9 }, 'partitions must be a whole number from 1 to 10000'],
    [
      'no replicas',
      { replicas: 0 },
      'replicas must be a whole number from 1 to 3, the number of brokers, not 0',
    ],
    [
      'more replicas than brokers',
      { replicas: 4 },
      'replicas must be a whole number from 1 to 3, the number of brokers',
    ],
    [
      'partitions that do not fit the assignment',
      { partitions: 3, assignment: [[1], [2]] },
      'partitions must be 2, as many as there are in assignment, or left out, not 3 (number)',
    ],
    [
      'replicas that do not fit the assignment',
      { replicas: 2, assignment: [[1, 2], [2]] },
      'replicas must be 1, as many as there are in assignment, or left out, not 2 (number)',
    ],
    [
      'a flat assignment',
      { assignment: [1, 2] },
      'assignment must be a list with the broker ids of each partition',
    ],
    [
      'an assignment by partition',
      { assignment: { 0: [1] } },
      'assignment must be a list with the broker ids',
    ],
    ['an empty assignment', { assignment: [] }, 'assignment must be a list with the broker ids'],
    [
      'a partition without a replica',
      { assignment: [[1], []] },
      'assignment must be a list with the broker ids',
    ],
    [
      'an unknown broker',
      { assignment: [[4]] },
      '(there are brokers 1 to 3; none twice for a partition), not [[4]] (array)',
    ],
    [
      'a broker twice',
      { assignment: [[1, 1]] },
      '(there are brokers 1 to 3; none twice for a partition), not [[1,1]]',
    ],
    ['a broker as text', { assignment: [['1']] }, 'not [["1"]] (array)'],
    [
      'a list for a configuration',
      { config: [] },
      "config must be an object such as { 'max.message.bytes': '2000' }",
    ],
    [
      'a misspelt property',
      { config: { 'max.mesage.bytes': '5' } },
      '"max.mesage.bytes" is none of the names in config. Did you mean "max.message.bytes"?',
    ],
    [
      'a property of brokers',
      { config: { 'num.partitions': '5' } },
      '"num.partitions" is none of the names in config; there are cleanup.policy, ',
    ],
    [
      'a number that is no text',
      { config: { 'max.message.bytes': 2000 } },
      'config["max.message.bytes"] must be a whole number as text, such as "1000", not 2000 (number)',
    ],
    [
      'no number',
      { config: { 'max.message.bytes': '1MB' } },
      'config["max.message.bytes"] must be a whole number as text, such as "1000", not "1MB" (string)',
    ],
    ['no time', { config: { 'retention.ms': '' } }, 'config["retention.ms"] must be a whole number as text'],
    [
      'no replica in sync',
      { config: { 'min.insync.replicas': '0' } },
      'must be a whole number from 1 on as text',
    ],
    ['no ratio', { config: { 'min.cleanable.dirty.ratio': '2' } }, 'must be a number from 0 to 1 as text'],
    ['no yes or no', { config: { preallocate: 'yes' } }, 'config["preallocate"] must be "true" or "false"'],
    [
      'no kind of time',
      { config: { 'message.timestamp.type': 'now' } },
      'must be "CreateTime" or "LogAppendTime"',
    ],
    [
      'no policy',
      { config: { 'cleanup.policy': 'keep' } },
      'must be "delete", "compact" or "compact,delete"',
    ],
    [
      'no version',
      { config: { 'message.format.version': 'old' } },
      'must be a version of Kafka, such as "0.10.2"',
    ],
  ])('is refused with what would be right: %s', (_, options, message) => {
    const act = (): void => refuseWrongTopic('t', options, { kafka: '3.9', brokers: BROKERS });
    expect(act).toThrow(TypeError);
    expect(act).toThrow(message);
  });

  it.each([
    ['message.timestamp.type', '0.9', 'CreateTime'],
    ['compression.type', '0.8', 'gzip'],
    ['message.downconversion.enable', '1.1', 'true'],
  ] as const)('has no %s before Kafka has it: %s', (property, kafka, value) => {
    const act = (): void => refuseWrongTopic('t', { config: { [property]: value } }, { kafka, brokers: 1 });
    expect(act).toThrow(`"${property}" is none of the names in config; there are cleanup.policy, `);
  });

  it.each<[string, unknown, string]>([
    ['a number', 5, 'createTopic: name must be a text, not 5 (number)'],
    ['the empty one', '', `"" cannot be a topic's name`],
    ['one with a slash', 'a/b', `"a/b" cannot be a topic's name`],
    ['a path', '..', `".." cannot be a topic's name`],
  ])('cannot have as its name %s', (_, name, message) => {
    expect(() => refuseWrongTopic(name, {}, { kafka: '1.1', brokers: 1 })).toThrow(message);
  });

  it('is refused with all that is wrong, a line for each', () => {
    const act = (): void => refuseWrongTopic('', { partitions: 0, replica: 1 }, { kafka: '1.1', brokers: 1 });
    expect(act).toThrow(
      /^createTopic: "" cannot be .*\ncreateTopic: "replica" is none .* "replicas"\?\ncreateTopic: partitions must be .*$/,
    );
  });

  it('needs a broker', () => {
    const act = (): void => refuseWrongTopic('t', { replicas: 1 }, { kafka: '1.1', brokers: 0 });
    expect(act).toThrow('createTopic: options: a topic needs a broker, and there is none');
  });
});
