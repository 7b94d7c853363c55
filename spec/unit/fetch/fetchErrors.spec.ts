import { fetchFailure, partitionFailure, tooLarge } from '../../../lib/fetch/fetchErrors';
import { encodeBatch } from '../../support/records/encodeBatch';

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

describe('fetchFailure', () => {
  it('is retriable and names the code', () => {
    const error = fetchFailure(71, 'host:9092');
    expect(error).toMatchObject({
      ...{ code: 'BROKER_UNREACHABLE', retriable: true },
      context: { broker: 'host:9092', brokerCode: 71 },
    });
    expect(error.message).toContain('INVALID_FETCH_SESSION_EPOCH');
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

  it('leads behind the last offset of a batch, if its header has come', () => {
    const batch = encodeBatch({ baseOffset: 20, lastOffsetDelta: 9, records: [{ offsetDelta: 0 }] });
    const nextOffsets = [batch, batch.subarray(0, 61), batch.subarray(0, 60), batch.subarray(0, 11)].map(
      (cut) => tooLarge(AT, 7, cut, 5000, 1000).context.nextOffset,
    );
    expect(nextOffsets).toEqual([30, 30, 21, 8]);
  });

  it.each([
    ['no offset', -1n, 0],
    ['more than a position can be', 2n ** 62n, 0],
    ['a batch that ends in front of its beginning', 20n, -(2 ** 31)],
  ])('names the next offset if what came has %s', (_, offset, delta) => {
    const batch = encodeBatch({ baseOffset: offset, lastOffsetDelta: delta, records: [] });
    expect(tooLarge(AT, 7, batch, 5000, 1000).context.nextOffset).toBe(8);
  });
});
