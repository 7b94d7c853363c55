import { decodeTopicPartitions } from '../../../lib/zookeeper/topicRegistration';
import { connectorErrorOf } from '../connectorErrorOf';

const PATH = '/brokers/topics/t';
const decode = (text: string): number[] => decodeTopicPartitions(Buffer.from(text), PATH);

describe('decodeTopicPartitions', () => {
  it('reads the partition numbers in numeric order', () => {
    const text = '{"version":1,"partitions":{"10":[1],"2":[1,0],"0":[0]}}';
    expect(decode(text)).toEqual([0, 2, 10]);
  });

  it('ignores everything but the keys', () => {
    const text =
      '{"partitions":{"1":[],"0":null},"topic_id":"x","adding_replicas":{},"removing_replicas":{},"version":3}';
    expect(decode(text)).toEqual([0, 1]);
  });

  it('takes a topic without partitions', () => {
    expect(decode('{"version":1,"partitions":{}}')).toEqual([]);
  });

  it.each([
    ['no data', '', 'is empty'],
    ['no JSON', '{"partitions":{', 'is not JSON'],
    ['no object', '[0,1]', 'is not a JSON object'],
    ['no partitions', '{"version":1}', '"partitions"'],
    ['a list of partitions', '{"partitions":[0,1]}', '"partitions"'],
    ['a negative partition', '{"partitions":{"-1":[]}}', '"-1"'],
    ['a name for a partition', '{"partitions":{"__proto__":[]}}', '"__proto__"'],
    ['an empty partition', '{"partitions":{"":[]}}', '""'],
    ['a partition above an int', '{"partitions":{"2147483648":[]}}', '"2147483648"'],
  ])('refuses %s and says where and why', (_what, text, why) => {
    const error = connectorErrorOf(() => decode(text));
    expect(error.code).toBe('REGISTRATION_INVALID');
    expect(error.context.path).toBe(PATH);
    expect(error.message).toContain(PATH);
    expect(error.message).toContain(why);
  });
});
