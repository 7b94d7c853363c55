import {
  readConfigNode,
  readPartitionList,
  readStateNode,
  readTopicNode,
  writeConfigNode,
  writeStateNode,
  writeTopicNode,
} from '../../../../lib/testing/kafka/topicNodes';

const ASSIGNMENT = [[1, 2], [2, 1], [2], [1]];
/** Measured on Kafka 3.9.1. */
const MODERN =
  '{"partitions":{"0":[1,2],"1":[2,1],"2":[2],"3":[1]},"topic_id":"nwZZ3gV8R5W6mAt4nbaKZQ","adding_replicas":{},' +
  '"removing_replicas":{},"version":3}';
const NONSENSE = ['', 'x', 'null', '1', '[]', '{}', '{"partitions":null}', '{"partitions":5}'];

describe('the node of a topic', () => {
  it('is that of real brokers, and is read back', () => {
    const topicId = '9f0659de057c4795ba980b789db68a65';
    expect(writeTopicNode('3.9', { assignment: ASSIGNMENT, topicId })).toBe(MODERN);
    expect(readTopicNode(Buffer.from(MODERN))).toEqual({ assignment: ASSIGNMENT, topicId });
    const old = '{"version":1,"partitions":{"0":[1,2],"1":[2,1],"2":[2],"3":[1]}}';
    expect(writeTopicNode('1.1', { assignment: ASSIGNMENT, topicId })).toBe(old);
    expect(readTopicNode(Buffer.from(old))).toEqual({ assignment: ASSIGNMENT, topicId: null });
  });

  it('ends in front of a partition that is missing', () => {
    const node = Buffer.from('{"version":1,"partitions":{"3":[1],"0":[2],"1":[3]}}');
    expect(readTopicNode(node)?.assignment).toEqual([[2], [3]]);
  });

  it.each(NONSENSE)('is not %j', (text) => {
    expect(readTopicNode(Buffer.from(text))).toBeNull();
  });
});

describe('the node of a partition', () => {
  it('is that of real brokers, and is read back', () => {
    const leadership = { leader: 1, leaderEpoch: 0, isr: [1, 2] };
    const text = '{"controller_epoch":1,"leader":1,"version":1,"leader_epoch":0,"isr":[1,2]}';
    expect(writeStateNode(1, leadership)).toBe(text);
    expect(readStateNode(Buffer.from(text))).toEqual(leadership);
  });

  it.each(NONSENSE)('is not %j', (text) => {
    expect(readStateNode(Buffer.from(text))).toBeNull();
  });
});

describe('other nodes', () => {
  it('of a configuration are read back', () => {
    const text = writeConfigNode({ 'max.message.bytes': '1000' });
    expect(text).toBe('{"version":1,"config":{"max.message.bytes":"1000"}}');
    expect([...readConfigNode(Buffer.from(text))]).toEqual([['max.message.bytes', '1000']]);
  });

  it.each([undefined, ...NONSENSE])('that are %j configure nothing', (text) => {
    expect(readConfigNode(text === undefined ? text : Buffer.from(text)).size).toBe(0);
  });

  it('of an election list partitions', () => {
    const list = [{ topic: 't', partition: 1 }];
    expect(readPartitionList(Buffer.from(JSON.stringify({ version: 1, partitions: list })))).toEqual(list);
    for (const text of NONSENSE) expect(readPartitionList(Buffer.from(text))).toEqual([]);
  });
});
