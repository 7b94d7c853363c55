import { fetchedSets } from '../../matrix/fetchedSets';
import { ByteWriter } from '../../support/produce/bytes';
import { encodeMessageSet } from '../../support/produce/messageSet';

const messages = [{ value: 'a' }, { value: 'b' }];

/** The head of a record batch, with a body of no meaning. */
function batch(codec: number): Buffer {
  const content = new ByteWriter().int32(7).int8(2).uint32(0xdead_beef).int16(codec).raw(Buffer.alloc(40));
  return new ByteWriter().int64(12).bytes(content.toBuffer()).toBuffer();
}

/** An answer with one topic whose partitions have these records, in the layout of the version. */
function answer(version: number, topic: string, partitions: readonly (Buffer | null)[]): Buffer {
  const writer = new ByteWriter().int32(1);
  if (version >= 1) writer.int32(0);
  if (version >= 7) writer.int16(0).int32(0);
  writer.int32(1).string(topic);
  writer.array(partitions, (records) => {
    writer.int32(3).int16(0).int64(99);
    if (version >= 4) writer.int64(98);
    if (version >= 5) writer.int64(0);
    if (version === 4) writer.int32(-1);
    if (version > 4) writer.int32(1).int64(5).int64(6);
    if (version >= 11) writer.int32(-1);
    writer.bytes(records);
  });
  return writer.toBuffer();
}

describe('what is seen in an answer to a fetch', () => {
  it.each([0, 1, 2, 3, 4, 5, 7, 10, 11])(
    'of version %i are the formats and codecs of its sets',
    (version) => {
      const plain = encodeMessageSet(messages, { magic: 0 });
      const gzip = encodeMessageSet(messages, { magic: 1, gzip: true });
      const frame = answer(version, 'orders', [plain, null, Buffer.concat([gzip, batch(4), batch(0x12)])]);
      expect(fetchedSets(version, frame)).toEqual([
        { topic: 'orders', format: 0, codec: 'none' },
        { topic: 'orders', format: 0, codec: 'none' },
        { topic: 'orders', format: 1, codec: 'gzip' },
        { topic: 'orders', format: 2, codec: 'zstd' },
        { topic: 'orders', format: 2, codec: 'snappy' },
      ]);
    },
  );

  it('leaves out a set that is cut off at the end', () => {
    const records = Buffer.concat([batch(3), batch(1)]);
    for (const sizeBytes of [batch(3).length + 5, batch(3).length + 30, records.length - 1]) {
      expect(fetchedSets(4, answer(4, 't', [records.subarray(0, sizeBytes)]))).toEqual([
        { topic: 't', format: 2, codec: 'lz4' },
      ]);
    }
  });

  it('is an error if the answer is of another version, or has a codec that there is not', () => {
    expect(() => fetchedSets(10, answer(1, 't', [batch(0)]))).toThrow('is cut off');
    expect(() => fetchedSets(4, answer(4, 't', [batch(6)]))).toThrow('a codec of number 6 in t');
  });
});
