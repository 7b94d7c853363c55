import { partitionFailure, tooLarge } from '../../../lib/fetch/fetchErrors';

const AT = { topic: 'orders', partition: 3 };

describe('partitionFailure', () => {
  it.each([
    [2, 'MESSAGE_CORRUPT', false],
    [76, 'CODEC_UNSUPPORTED', false],
    [35, 'FORMAT_UNSUPPORTED', false],
    [29, 'BROKER_ERROR', false],
    [1, 'BROKER_UNREACHABLE', true],
    [3, 'BROKER_UNREACHABLE', true],
    [6, 'BROKER_UNREACHABLE', true],
    [-1, 'BROKER_UNREACHABLE', true],
    [12345, 'BROKER_UNREACHABLE', true],
  ])('makes %i to %s (retriable: %p)', (brokerCode, code, retriable) => {
    const error = partitionFailure(AT, 7, brokerCode, 'host:9092');
    expect(error).toMatchObject({ code, retriable, context: { ...AT, broker: 'host:9092', brokerCode } });
    expect(error.message).toMatch(/orders\/3 .*7.*host:9092/);
  });

  it('names the way past what can be passed', () => {
    expect(partitionFailure(AT, 7, 76, 'host:9092').context).toMatchObject({ offset: 7, nextOffset: 8 });
    expect(partitionFailure(AT, 7, 29, 'host:9092').context).not.toHaveProperty('nextOffset');
    expect(partitionFailure(AT, null, 76, 'host:9092').context).not.toHaveProperty('nextOffset');
  });
});

describe('tooLarge', () => {
  it('tells the size that is needed, the limit and the way past', () => {
    const records = Buffer.alloc(12);
    records.writeBigInt64BE(20n);
    const error = tooLarge(AT, 7, records, 5000, 1000);
    expect(error).toMatchObject({ code: 'MESSAGE_TOO_LARGE', context: { ...AT, offset: 7, nextOffset: 21 } });
    expect(error.message).toMatch(/5000 bytes.*fetch\.max\.bytes \(1000\)/);
    expect(tooLarge(AT, 7, Buffer.alloc(5), 0, 1000).context).toMatchObject({ offset: 7, nextOffset: 8 });
  });
});
