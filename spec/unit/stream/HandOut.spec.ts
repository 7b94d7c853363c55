import type { ConnectorError } from '../../../lib/errors';
import type { PartitionTopicInfo } from '../../../lib/fetch/PartitionTopicInfo';
import { BlockingQueue } from '../../../lib/stream/BlockingQueue';
import { HandOut } from '../../../lib/stream/HandOut';
import type { StreamOptions } from '../../../lib/types';
import { connectorErrorOf } from '../connectorErrorOf';
import { CRC_AT, damaged, entry, messageSet } from '../kafka/support/encodeMessageSet';
import { chunkOf, feed, infoOf, PROVED, textOf } from './support/parts';

interface Parts {
  readonly queue: BlockingQueue;
  readonly handOut: HandOut<Buffer, Buffer>;
  readonly a: PartitionTopicInfo;
  readonly b: PartitionTopicInfo;
  readonly failed: { readonly partition: number; readonly error: ConnectorError }[];
}

function parts(decoders: StreamOptions<Buffer, Buffer> = {}): Parts {
  const queue = new BlockingQueue(4);
  const failed: { partition: number; error: ConnectorError }[] = [];
  const handOut = new HandOut(queue, decoders, ({ partition }, error) => failed.push({ partition, error }));
  handOut.release(PROVED);
  return { queue, handOut, failed, a: infoOf(queue), b: infoOf(queue, { partition: 1 }) };
}

/** Asks and takes; "partition@offset", or null if there is nothing. */
function next({ handOut }: Parts): string | null {
  handOut.asked();
  const message = handOut.takeMessage(0);
  return message === undefined ? null : `${message.partition}@${message.offset}`;
}

function nextBatch({ handOut }: Parts, maxMessages = 10): string | null {
  handOut.asked();
  const batch = handOut.takeBatch(0, maxMessages);
  if (batch === undefined) return null;
  return `${batch.partition}@${batch.messages.map(({ offset }) => offset).join()} then ${batch.nextOffset}`;
}

/** A decoder that refuses the messages with these values. */
function refuses(...values: readonly string[]): StreamOptions<Buffer, Buffer> {
  return {
    valueDecoder: (bytes) => {
      if (values.includes(bytes.toString())) throw new Error('refused');
      return bytes;
    },
  };
}

describe('HandOut, message by message', () => {
  it('hands each partition out in order, and counts a message as processed when the next one is asked for', () => {
    const p = parts();
    feed(p.a, 2);
    feed(p.b, 1);
    expect(next(p)).toBe('0@0');
    expect([p.a.handedOffset, p.a.processedOffset, p.handOut.hasInHand]).toEqual([1, 0, true]);
    expect(next(p)).toBe('0@1');
    expect([p.a.handedOffset, p.a.processedOffset]).toEqual([2, 1]);
    expect(next(p)).toBe('1@0');
    expect([p.a.processedOffset, p.b.handedOffset, p.b.processedOffset]).toEqual([2, 1, 0]);
    expect(next(p)).toBeNull();
    expect([p.b.processedOffset, p.handOut.hasInHand]).toEqual([1, false]);
  });

  it('keeps null and empty apart, in keys and in values', () => {
    const p = parts();
    const empty = Buffer.alloc(0);
    const pairs = [null, empty].flatMap((key) => [null, empty].map((value) => ({ key, value })));
    p.queue.put(chunkOf(p.a, messageSet(pairs.map((pair, offset) => ({ offset, ...pair }))), pairs.length));
    const got = pairs.map(() => {
      const { key, value, headers, timestampType } = p.handOut.takeMessage(0) ?? {};
      return { key, value, headers, timestampType };
    });
    expect(got).toEqual(pairs.map((pair) => ({ ...pair, headers: [], timestampType: 'create' })));
  });

  it('calls no decoder for null, and gives each the place of its bytes', () => {
    const seen: unknown[] = [];
    const p = parts({
      keyDecoder: (bytes, at) => {
        seen.push(at);
        return Buffer.from(`k${bytes.toString()}`);
      },
      valueDecoder: (bytes, at) => {
        seen.push(at);
        return Buffer.from(`v${bytes.toString()}`);
      },
    });
    const messages = [
      { offset: 0, key: Buffer.from('1'), value: null },
      { offset: 1, key: null, value: Buffer.from('2') },
    ];
    p.queue.put(chunkOf(p.a, messageSet(messages), 2));
    expect(p.handOut.takeMessage(0)).toMatchObject({ key: Buffer.from('k1'), value: null });
    expect(p.handOut.takeMessage(0)).toMatchObject({ key: null, value: Buffer.from('v2') });
    expect(seen).toEqual([
      { topic: 'orders', partition: 0, offset: 0, field: 'key' },
      { topic: 'orders', partition: 0, offset: 1, field: 'value' },
    ]);
  });

  it('counts offsets without a message as processed, once what is before them is', () => {
    const p = parts();
    p.queue.put(chunkOf(p.a, messageSet([{ offset: 3 }]), 20));
    expect(next(p)).toBe('0@3');
    expect(p.a.processedOffset).toBe(0);
    expect(next(p)).toBeNull();
    expect([p.a.handedOffset, p.a.processedOffset]).toEqual([20, 20]);
  });

  it('counts nothing of what was in hand when a seek came', () => {
    const p = parts();
    feed(p.a, 5);
    next(p);
    next(p);
    p.a.jump(100);
    expect(next(p)).toBeNull();
    expect([p.a.handedOffset, p.a.processedOffset]).toEqual([100, 100]);
    feed(p.a, 1);
    expect(next(p)).toBe('0@100');
  });

  it('hands out what was fetched before a reset, then moves the position', () => {
    const p = parts();
    feed(p.a, 1);
    p.queue.put({ kind: 'reset', info: p.a, epoch: p.a.epoch, nextOffset: 70 });
    p.a.fetchOffset = 70;
    feed(p.a, 1);
    expect(next(p)).toBe('0@0');
    expect(p.a.handedOffset).toBe(1);
    expect(next(p)).toBe('0@70');
    expect([p.a.handedOffset, p.a.processedOffset]).toEqual([71, 70]);
  });
});

describe('HandOut, what keeps it from handing out', () => {
  it('hands nothing out from a hold to the next release, and keeps what is in hand', () => {
    const p = parts();
    feed(p.a, 2);
    next(p);
    p.handOut.hold();
    expect([p.queue.size, p.handOut.hasInHand]).toEqual([0, true]);
    feed(p.a, 1);
    expect(next(p)).toBeNull();
    expect([p.a.processedOffset, p.handOut.hasInHand]).toEqual([1, false]);
    p.handOut.release(PROVED);
    expect(next(p)).toBe('0@2');
  });

  it('hands nothing out before the first release', () => {
    const queue = new BlockingQueue(2);
    const handOut = new HandOut<Buffer, Buffer>(queue, {}, () => undefined);
    feed(infoOf(queue), 1);
    expect(handOut.takeMessage(Number.MIN_SAFE_INTEGER)).toBeUndefined();
  });

  it('compares the clock with the lease each time, without any timer', () => {
    const p = parts();
    const lease = { provedUntilMs: 1000 };
    p.handOut.release(lease);
    feed(p.a, 4);
    expect(p.handOut.takeMessage(999.9)?.offset).toBe(0);
    expect(p.handOut.takeMessage(1000)).toBeUndefined();
    expect(p.handOut.takeBatch(1000, 10)).toBeUndefined();
    lease.provedUntilMs = 2000;
    expect(p.handOut.takeMessage(1500)?.offset).toBe(1);
    lease.provedUntilMs = 0;
    expect(p.handOut.takeMessage(1500)).toBeUndefined();
  });

  it('goes on with the others when a partition is paused in the middle of a chunk, and with it when it is resumed', () => {
    const p = parts();
    feed(p.a, 3);
    feed(p.b, 2);
    feed(p.a, 1);
    expect(next(p)).toBe('0@0');
    p.a.paused = true;
    expect([next(p), next(p), next(p)]).toEqual(['1@0', '1@1', null]);
    p.a.paused = false;
    expect([next(p), next(p), next(p), next(p)]).toEqual(['0@1', '0@2', '0@3', null]);
    expect([p.a.processedOffset, p.b.processedOffset]).toEqual([4, 2]);
  });

  it('does not hand out the rest of a paused chunk when a seek comes before the resume', () => {
    const p = parts();
    feed(p.a, 3);
    next(p);
    p.a.paused = true;
    expect(next(p)).toBeNull();
    p.a.jump(50);
    p.a.paused = false;
    expect(next(p)).toBeNull();
    expect(p.queue.size).toBe(0);
  });

  it('hands nothing out while the stream is paused, and loses nothing by it', () => {
    const p = parts();
    feed(p.a, 2);
    next(p);
    p.handOut.paused = true;
    expect([next(p), nextBatch(p)]).toEqual([null, null]);
    p.handOut.paused = false;
    expect(next(p)).toBe('0@1');
  });
});

describe('HandOut, messages that cannot be handed out', () => {
  it('stops the partition of a corrupt message only, and names the way past it', () => {
    const p = parts();
    const records = Buffer.concat([
      entry({ offset: 0 }),
      damaged(entry({ offset: 1 }), CRC_AT),
      entry({ offset: 2 }),
    ]);
    p.queue.put(chunkOf(p.a, records, 3));
    feed(p.a, 1);
    feed(p.b, 2);
    expect(next(p)).toBe('0@0');
    const error = connectorErrorOf(() => next(p));
    expect(error).toMatchObject({
      code: 'MESSAGE_CORRUPT',
      context: { topic: 'orders', partition: 0, nextOffset: 2 },
    });
    expect(p.failed).toEqual([{ partition: 0, error }]);
    expect(p.a.failure).toBe(error);
    expect([p.a.handedOffset, p.a.processedOffset]).toEqual([1, 1]);
    expect([next(p), next(p), next(p)]).toEqual(['1@0', '1@1', null]);
  });

  it('ConsumerIteratorTest.testConsumerIteratorDecodingFailure: stops the partition of a message whose decoder throws; a seek goes on behind it', () => {
    const p = parts(refuses('1'));
    feed(p.a, 3);
    expect(next(p)).toBe('0@0');
    expect(connectorErrorOf(() => next(p))).toMatchObject({
      code: 'DECODE_FAILED',
      context: { topic: 'orders', partition: 0, offset: 1, nextOffset: 2 },
    });
    expect(next(p)).toBeNull();
    p.a.jump(2);
    feed(p.a, 1);
    expect(next(p)).toBe('0@2');
  });

  it.each([
    ['an error', new Error('bad'), 'Error: bad'],
    ['nothing', undefined, 'undefined'],
    ['what has no text', Object.create(null) as object, 'something that cannot be shown'],
  ])('says what its decoder threw, be it %s', (_what, thrown, text) => {
    const p = parts({
      valueDecoder: () => {
        throw thrown as Error;
      },
    });
    feed(p.a, 1);
    const error = connectorErrorOf(() => next(p));
    expect(error.code).toBe('DECODE_FAILED');
    expect(error.message).toContain(`offset 0: ${text};`);
  });

  it('throws the error of a failed fetch when what is before it has been handed out', () => {
    const p = parts();
    const error = connectorErrorOf(() => {
      const broken = parts(refuses('0'));
      feed(broken.a, 1);
      next(broken);
    });
    feed(p.a, 1);
    p.queue.put({ kind: 'failure', info: p.a, epoch: p.a.epoch, error });
    expect(next(p)).toBe('0@0');
    expect(connectorErrorOf(() => next(p))).toBe(error);
    expect([next(p), p.a.processedOffset]).toEqual([null, 1]);
  });

  it('says nothing of a failure that a seek has ended', () => {
    const p = parts(refuses('0'));
    const error = connectorErrorOf(() => {
      feed(p.b, 1);
      next(p);
    });
    p.queue.put({ kind: 'failure', info: p.a, epoch: p.a.epoch, error });
    p.a.jump(9);
    expect(next(p)).toBeNull();
  });
});

describe('HandOut, in batches', () => {
  it('takes up to so many messages of the partition whose turn it is', () => {
    const p = parts();
    feed(p.a, 5);
    feed(p.b, 2);
    expect(nextBatch(p, 3)).toBe('0@0,1,2 then 3');
    expect([p.a.handedOffset, p.a.processedOffset]).toEqual([3, 0]);
    expect(nextBatch(p, 3)).toBe('0@3,4 then 5');
    expect(nextBatch(p, 3)).toBe('1@0,1 then 2');
    expect(nextBatch(p, 3)).toBeNull();
    expect([p.a.processedOffset, p.b.processedOffset]).toEqual([5, 2]);
  });

  it('hands out what is before a bad message first, and throws when the next batch is asked for', () => {
    for (const bad of ['corrupt', 'undecodable']) {
      const p = parts(refuses('2'));
      if (bad === 'undecodable') feed(p.a, 4);
      else {
        const entries = [0, 1, 2, 3].map((offset) => entry({ offset }));
        entries[2] = damaged(entry({ offset: 2 }), CRC_AT);
        p.queue.put(chunkOf(p.a, Buffer.concat(entries), 4));
      }
      feed(p.b, 1);
      expect(nextBatch(p)).toBe('0@0,1 then 2');
      expect(connectorErrorOf(() => nextBatch(p)).context).toMatchObject({
        partition: 0,
        offset: 2,
        nextOffset: 3,
      });
      expect([p.a.handedOffset, p.a.processedOffset]).toEqual([2, 2]);
      expect([nextBatch(p), nextBatch(p)]).toEqual(['1@0 then 1', null]);
    }
  });

  it('does not pass over the bad message when the partition is paused in between', () => {
    const p = parts(refuses('2'));
    feed(p.a, 4);
    feed(p.b, 1);
    expect(nextBatch(p)).toBe('0@0,1 then 2');
    p.a.paused = true;
    expect([nextBatch(p), nextBatch(p)]).toEqual(['1@0 then 1', null]);
    p.a.paused = false;
    expect(connectorErrorOf(() => nextBatch(p)).context).toMatchObject({ offset: 2 });
  });

  it('forgets the bad message when a seek goes past it, and when the partition is given up', () => {
    const p = parts(refuses('2'));
    feed(p.a, 4);
    nextBatch(p);
    p.a.jump(3);
    feed(p.a, 1);
    expect(nextBatch(p)).toBe('0@3 then 4');

    p.a.jump(0);
    feed(p.a, 4);
    expect(nextBatch(p)).toBe('0@0,1 then 2');
    p.handOut.hold();
    p.handOut.release(PROVED);
    expect(nextBatch(p)).toBeNull();
  });

  it('may change to single messages in the middle of a chunk', () => {
    const p = parts();
    feed(p.a, 5);
    expect([nextBatch(p, 2), next(p), nextBatch(p, 9)]).toEqual(['0@0,1 then 2', '0@2', '0@3,4 then 5']);
  });

  it('gives views of the fetched bytes by default', () => {
    const p = parts();
    feed(p.a, 2);
    const batch = p.handOut.takeBatch(0, 2);
    expect(batch?.messages.map(textOf)).toEqual(['0', '1']);
    expect(batch?.messages[0]?.value?.buffer).toBe(batch?.messages[1]?.value?.buffer);
  });
});

describe('HandOut and a decoder that seeks', () => {
  it('keeps the position where the decoder has put it, and ends the batch', () => {
    const p = parts({
      valueDecoder: (bytes) => {
        if (bytes.toString() === '2') p.a.jump(40);
        return bytes;
      },
    });
    feed(p.a, 5);

    expect(nextBatch(p)).toBe('0@0,1,2 then 3');
    expect(p.a.handedOffset).toBe(40);
    expect(nextBatch(p)).toBeNull();
    expect([p.a.handedOffset, p.a.processedOffset]).toEqual([40, 40]);
  });
});
