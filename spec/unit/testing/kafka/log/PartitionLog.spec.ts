import { setTimeout as delay } from 'node:timers/promises';
import { compress, GZIP, LZ4, SNAPPY } from '../../../../support/records/compress';
import { lz4Frame } from '../../../../support/records/writeLz4';
import { entry } from '../../../kafka/support/encodeMessageSet';
import { messagesIn } from './support/captures';
import { ALL, batch, messages, newLog, NOW_MS } from './support/logs';

const OK = { errorCode: 0 };

function valuesIn(records: Buffer): string[] {
  return messagesIn(records).map((line) => {
    const [offset, , value] = line.split(' | ');
    return `${String(offset)}:${String(value)}`;
  });
}

describe('the offsets of a log', () => {
  it('begin at 0 and are told to the producer', () => {
    const log = newLog('3.9');
    expect(log.append(batch(['a', 'b']), 7)).toEqual({
      ...{ errorCode: 0, baseOffset: 0, logAppendTimeMs: -1, logStartOffset: 0 },
    });
    expect(log.append(batch(['c']), 7)).toMatchObject({ baseOffset: 2 });
    expect([log.startOffset, log.endOffset]).toEqual([0, 3]);
    expect(valuesIn(log.read(0, ALL, 2).records)).toEqual(['0:"a"', '1:"b"', '2:"c"']);
  });

  it.each([GZIP, SNAPPY, LZ4])('stand inside a compressed set of format 0, of codec %i', (codec) => {
    const log = newLog('0.8');
    const set = messages(0, ['a', 'b']);
    const value = codec === LZ4 ? lz4Frame(set, { oldHeaderChecksum: true }) : compress(codec, set);
    for (let times = 0; times < 2; times++) {
      expect(log.append(entry({ magic: 0, offset: 1, value, attributes: codec }), 0)).toMatchObject(OK);
    }
    expect(valuesIn(log.read(0, ALL, 0).records)).toEqual(['0:"a"', '1:"b"', '2:"a"', '3:"b"']);
  });

  it('do not change the bytes of a compressed set of format 1', () => {
    const log = newLog('0.10.2');
    const value = compress(GZIP, messages(1, ['a', 'b']));
    const wrapper = entry({ magic: 1, offset: 1, value, attributes: GZIP, timestamp: NOW_MS + 1 });
    log.append(messages(1, ['first']), 2);
    log.append(wrapper, 2);
    const stored = log.read(1, ALL, 1).records;
    expect(stored.subarray(8).equals(wrapper.subarray(8))).toBe(true);
    expect(valuesIn(stored)).toEqual(['1:"a"', '2:"b"']);
  });

  it('are given to all messages of a request', () => {
    const log = newLog('0.9');
    const value = compress(GZIP, messages(0, ['b', 'c']));
    const wrapper = entry({ magic: 0, offset: 1, value, attributes: GZIP });
    log.append(Buffer.concat([messages(0, ['a']), wrapper, wrapper]), 1);
    expect(valuesIn(log.read(0, ALL, 0).records)).toEqual(['0:"a"', '1:"b"', '2:"c"', '3:"b"', '4:"c"']);
  });

  it('come with the leader epoch in batches', () => {
    const log = newLog('1.1');
    log.leaderEpoch = 5;
    log.append(batch(['a']), 3);
    expect(log.read(0, ALL, 2).records.readInt32BE(12)).toBe(5);
    expect(log.offsetForTimestamp(NOW_MS)).toEqual({ timestampMs: NOW_MS, offset: 0, leaderEpoch: 5 });
  });
});

describe('times in a log', () => {
  it.each(['0.10.2', '1.1', '3.9'] as const)("are the broker's if the topic says so, in %s", (generation) => {
    const log = newLog(generation, { timestampType: 'LogAppendTime' });
    const before = Date.now();
    const sets = [messages(1, ['a', 'b'])];
    sets.push(entry({ magic: 1, offset: 0, value: compress(GZIP, messages(1, ['c'])), attributes: GZIP }));
    for (const set of sets) {
      const { logAppendTimeMs } = log.append(set, 2);
      expect(logAppendTimeMs).toBeGreaterThanOrEqual(before);
      const last = messagesIn(log.read(log.endOffset - 1, ALL, 2).records, log.endOffset - 1);
      expect(last[0]).toContain(`${logAppendTimeMs} | append`);
    }
    expect(messagesIn(log.read(0, ALL, 1).records)).toHaveLength(3);
  });

  it('are put over a whole batch without a change to its records', () => {
    const log = newLog('3.9', { timestampType: 'LogAppendTime' });
    const produced = batch(['a', 'b'], { codec: GZIP });
    const { logAppendTimeMs } = log.append(produced, 7);
    const stored = log.read(0, ALL, 2).records;
    expect(stored.subarray(61).equals(produced.subarray(61))).toBe(true);
    expect(messagesIn(stored)).toEqual([
      `0 | null | "a" | ${logAppendTimeMs} | append`,
      `1 | null | "b" | ${logAppendTimeMs} | append`,
    ]);
  });

  it('are put right in the header of a batch', () => {
    const log = newLog('3.9');
    log.append(batch(['a', 'b'], { maxTimestamp: NOW_MS + 99 }), 7);
    expect(log.read(0, ALL, 2).records.readBigInt64BE(35)).toBe(BigInt(NOW_MS + 1));
  });

  it('find the first message that is not older', () => {
    const log = newLog('3.9');
    log.append(batch(['a', 'b', 'c']), 7);
    log.append(
      batch(['d', 'e', 'f'], { baseTimestamp: NOW_MS + 100, maxTimestamp: NOW_MS + 102, codec: GZIP }),
      7,
    );
    const offsetAt = (ms: number): number | undefined => log.offsetForTimestamp(NOW_MS + ms)?.offset;
    expect([offsetAt(-5), offsetAt(1), offsetAt(3), offsetAt(102)]).toEqual([0, 1, 3, 5]);
    expect(log.offsetForTimestamp(NOW_MS + 103)).toBeNull();
    log.deleteBefore(2);
    expect(offsetAt(0)).toBe(2);
  });

  it('tell which message is the newest', () => {
    const log = newLog('3.9');
    expect(log.newestMessage()).toBeNull();
    log.append(batch(['a', 'b']), 7);
    log.append(batch(['c'], { baseTimestamp: NOW_MS - 5, maxTimestamp: NOW_MS - 5 }), 7);
    expect(log.newestMessage()).toEqual({ timestampMs: NOW_MS + 1, offset: 1, leaderEpoch: 0 });
  });

  it('are not found where the format has none', () => {
    const log = newLog('0.9');
    log.append(messages(0, ['a']), 1);
    expect(log.offsetForTimestamp(0)).toBeNull();
  });
});

describe('what a log reads', () => {
  it('begins with the whole entry that holds the offset', () => {
    const log = newLog('3.9');
    log.append(batch(['a', 'b', 'c']), 7);
    log.append(batch(['d']), 7);
    expect(valuesIn(log.read(2, ALL, 2).records)).toEqual(['0:"a"', '1:"b"', '2:"c"', '3:"d"']);
    expect(valuesIn(log.read(3, ALL, 2).records)).toEqual(['3:"d"']);
  });

  it('ends at the limit, within an entry, but for the first if that has to be whole', () => {
    const log = newLog('3.9');
    const first = batch(['a', 'b', 'c']);
    log.append(first, 7);
    log.append(batch(['d']), 7);
    const read = (maxBytes: number, isFirstWhole: boolean): { length: number; isFirstCut: boolean } => {
      const { records, isFirstCut } = log.read(0, { maxBytes, isFirstWhole }, 2);
      return { length: records.length, isFirstCut };
    };
    expect(read(10, true)).toEqual({ length: first.length, isFirstCut: false });
    expect(read(10, false)).toEqual({ length: 10, isFirstCut: true });
    expect(read(first.length + 7, false)).toEqual({ length: first.length + 7, isFirstCut: false });
    expect(read(0, false)).toEqual({ length: 0, isFirstCut: true });
  });

  it('is nothing at the end, and an error outside', () => {
    const log = newLog('1.1');
    log.append(batch(['a', 'b']), 3);
    log.append(batch(['c']), 3);
    log.deleteBefore(1);
    const codes = [-1, 0, 1, 3, 4].map((offset) => log.read(offset, ALL, 2).errorCode);
    expect(codes).toEqual([1, 1, 0, 0, 1]);
    expect(log.read(3, ALL, 2)).toEqual({ errorCode: 0, records: Buffer.alloc(0), isFirstCut: false });
  });

  it('goes with the start of the log, entry by entry', () => {
    const log = newLog('1.1');
    for (const value of ['a', 'b', 'c']) log.append(batch([value, value]), 3);
    log.deleteBefore(3);
    expect([log.startOffset, log.endOffset]).toEqual([3, 6]);
    expect(valuesIn(log.read(3, ALL, 2).records)).toEqual(['2:"b"', '3:"b"', '4:"c"', '5:"c"']);
    log.deleteBefore(1);
    expect(log.startOffset).toBe(3);
    log.deleteBefore(6);
    expect(log.read(6, ALL, 2).records).toHaveLength(0);
    expect(() => log.deleteBefore(7)).toThrow(RangeError);
    expect(log.append(batch(['d']), 3)).toMatchObject({ baseOffset: 6, logStartOffset: 6 });
  });

  it('is not changed by those who produced it', () => {
    const log = newLog('3.9');
    const produced = batch(['a']);
    log.append(produced, 7);
    produced.fill(0);
    expect(valuesIn(log.read(0, ALL, 2).records)).toEqual(['0:"a"']);
  });
});

describe('those who wait for a log', () => {
  it('are called after each append that brings something, until they end that', () => {
    const log = newLog('3.9');
    const ends: number[] = [];
    const stop = log.onAppend(() => ends.push(log.endOffset));
    const stopOther = log.onAppend(() => ends.push(-1));
    log.append(batch(['a', 'b']), 7);
    stopOther();
    log.append(Buffer.from('nonsense'), 7);
    log.append(batch(['c']), 7);
    stop();
    log.append(batch(['d']), 7);
    expect(ends).toEqual([2, -1, 3]);
  });

  it('can ask again while they are called', async () => {
    const log = newLog('3.9');
    let calls = 0;
    const listen = (): void => {
      calls++;
      log.onAppend(listen);
    };
    log.onAppend(listen);
    log.append(batch(['a']), 7);
    await delay(0);
    expect(calls).toBe(1);
  });
});
