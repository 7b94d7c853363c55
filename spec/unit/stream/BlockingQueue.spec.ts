import fc from 'fast-check';

import { ConnectorError } from '../../../lib/errors';
import { BlockingQueue, type Chunk } from '../../../lib/stream/BlockingQueue';
import type { PartitionTopicInfo } from '../../../lib/fetch/PartitionTopicInfo';
import { feed, infoOf } from './support/parts';

const FAILURE = new ConnectorError('MESSAGE_CORRUPT', 'for a spec');

function reset(info: PartitionTopicInfo, nextOffset: number): Chunk {
  return { kind: 'reset', info, epoch: info.epoch, nextOffset };
}

/** Takes everything; partition and position of each chunk. */
function takeAll(queue: BlockingQueue): string[] {
  const taken: string[] = [];
  for (let chunk = queue.take(); chunk !== undefined; chunk = queue.take()) {
    const position = chunk.kind === 'failure' ? 'failure' : chunk.nextOffset;
    taken.push(`${chunk.info.partition}@${position}`);
  }
  return taken;
}

function infosOf(queue: BlockingQueue, count: number): PartitionTopicInfo[] {
  return Array.from({ length: count }, (_, partition) => infoOf(queue, { partition }));
}

describe('BlockingQueue', () => {
  it('gives chunks back in the order in which they came, whatever their kind', () => {
    const queue = new BlockingQueue(2);
    const [a, b] = infosOf(queue, 2) as [PartitionTopicInfo, PartitionTopicInfo];
    feed(a, 3);
    queue.put(reset(b, 70));
    queue.put({ kind: 'failure', info: a, epoch: a.epoch, error: FAILURE });
    feed(b, 1);
    expect(takeAll(queue)).toEqual(['0@3', '1@70', '0@failure', '1@1']);
  });

  it('takes no more of any partition once it is full', () => {
    const queue = new BlockingQueue(2);
    const infos = infosOf(queue, 3);
    expect(infos.map((info) => queue.accepts(info))).toEqual([true, true, true]);
    // All were accepted at once, so all may come: one chunk a partition is the most beyond the bound.
    for (const info of infos) feed(info, 1);
    expect(queue.size).toBe(3);
    expect(infos.map((info) => queue.accepts(info))).toEqual([false, false, false]);
    queue.take();
    expect(infos.map((info) => queue.accepts(info))).toEqual([false, false, false]);
    queue.take();
    expect(infos.map((info) => queue.accepts(info))).toEqual([true, true, true]);
  });

  it('tells of space only when there is room, not for each of many chunks', () => {
    const queue = new BlockingQueue(2);
    const infos = infosOf(queue, 10);
    for (const info of infos) queue.put(reset(info, 1));
    let told = 0;
    queue.onSpace = () => (told += 1);
    for (let taken = 0; taken < 8; taken += 1) queue.take();
    expect([told, queue.size]).toEqual([0, 2]);
    queue.take();
    expect(told).toBe(1);
  });

  it('tells of each chunk that comes and of each that leaves', () => {
    const queue = new BlockingQueue(1);
    const told: string[] = [];
    queue.onChunk = () => told.push('chunk');
    queue.onSpace = () => told.push('space');
    const info = infoOf(queue);
    feed(info, 1);
    queue.take();
    queue.take();
    feed(info, 1);
    queue.clear();
    expect(told).toEqual(['chunk', 'space', 'chunk', 'space']);
    expect(queue.size).toBe(0);
  });

  it('throws away chunks from before a seek', () => {
    const queue = new BlockingQueue(4);
    const [a, b] = infosOf(queue, 2) as [PartitionTopicInfo, PartitionTopicInfo];
    feed(a, 1);
    feed(b, 1);
    feed(a, 1);
    a.jump(40);
    feed(a, 1);
    expect(takeAll(queue)).toEqual(['1@1', '0@41']);
    expect(queue.size).toBe(0);
  });

  it('tells of space when all it held was void, so that a fetcher which waits for it goes on', () => {
    const queue = new BlockingQueue(2);
    const info = infoOf(queue);
    feed(info, 1);
    feed(info, 1);
    info.jump(40);
    expect(queue.accepts(info)).toBe(false);
    let told = 0;
    queue.onSpace = () => (told += 1);
    expect(queue.take()).toBeUndefined();
    expect(told).toBeGreaterThan(0);
    expect(queue.accepts(info)).toBe(true);
  });

  it('passes over paused partitions, and goes on with them where they were', () => {
    const queue = new BlockingQueue(4);
    const [a, b] = infosOf(queue, 2) as [PartitionTopicInfo, PartitionTopicInfo];
    feed(a, 1);
    feed(b, 1);
    feed(a, 1);
    a.paused = true;
    expect(takeAll(queue)).toEqual(['1@1']);
    a.paused = false;
    expect(takeAll(queue)).toEqual(['0@1', '0@2']);
  });

  it('has room for the others when it is full of paused partitions', () => {
    const queue = new BlockingQueue(2);
    const [a, b, c] = infosOf(queue, 3) as [PartitionTopicInfo, PartitionTopicInfo, PartitionTopicInfo];
    feed(a, 1);
    feed(a, 1);
    a.paused = true;
    expect([b, c].map((info) => queue.accepts(info))).toEqual([true, true]);
    feed(b, 1);
    // Beyond the bound there is one chunk for each, no more.
    expect([b, c].map((info) => queue.accepts(info))).toEqual([false, true]);
    feed(c, 1);
    expect(takeAll(queue)).toEqual(['1@1', '2@1']);
    expect([b, c].map((info) => queue.accepts(info))).toEqual([true, true]);
  });

  it('makes a chunk that is given back the next one of its partition', () => {
    const queue = new BlockingQueue(2);
    const [a, b] = infosOf(queue, 2) as [PartitionTopicInfo, PartitionTopicInfo];
    feed(a, 1);
    feed(b, 1);
    feed(a, 1);
    const first = queue.take();
    a.paused = true;
    queue.putBack(first as Chunk);
    expect(takeAll(queue)).toEqual(['1@1']);
    a.paused = false;
    expect(takeAll(queue)).toEqual(['0@1', '0@2']);
  });

  it('holds at most its bound and one chunk a partition, whatever happens, and loses nothing', () => {
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant('fetch' as const) },
      { weight: 3, arbitrary: fc.constant('take' as const) },
      { weight: 1, arbitrary: fc.record({ pause: fc.nat(4) }) },
      { weight: 1, arbitrary: fc.record({ resume: fc.nat(4) }) },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), fc.array(step, { maxLength: 60 }), (capacity, steps) => {
        const queue = new BlockingQueue(capacity);
        const infos = infosOf(queue, 5);
        const put = infos.map(() => 0);
        const taken = infos.map((): number[] => []);
        const take = (): boolean => {
          const chunk = queue.take();
          if (chunk?.kind !== 'reset') return false;
          expect(chunk.info.paused).toBe(false);
          taken[chunk.info.partition]?.push(chunk.nextOffset);
          return true;
        };
        for (const one of steps) {
          if (one === 'take') take();
          else if (one === 'fetch') {
            const asked = infos.filter((info) => !info.paused && queue.accepts(info));
            for (const info of asked)
              queue.put(reset(info, (put[info.partition] = (put[info.partition] ?? 0) + 1)));
          } else {
            const info = infos['pause' in one ? one.pause : one.resume];
            if (info !== undefined) info.paused = 'pause' in one;
          }
          expect(queue.size).toBeLessThan(capacity + infos.length);
          // Whoever is not accepted waits for a chunk that can be taken.
          const isQueued = ({ partition }: PartitionTopicInfo): boolean =>
            (put[partition] ?? 0) > (taken[partition]?.length ?? 0);
          const running = infos.filter((info) => !info.paused);
          expect(running.every((info) => queue.accepts(info)) || running.some(isQueued)).toBe(true);
        }
        for (const info of infos) info.paused = false;
        while (take());
        expect(taken).toEqual(put.map((count) => Array.from({ length: count }, (_, index) => index + 1)));
      }),
    );
  });

  it('needs no longer for each of 20,000 chunks than for a few', () => {
    const queue = new BlockingQueue(2);
    const infos = infosOf(queue, 20_000);
    for (const info of infos) queue.put(reset(info, 1));
    let epochReads = 0;
    for (const info of infos) {
      const { epoch } = info;
      Object.defineProperty(info, 'epoch', {
        get: () => {
          epochReads += 1;
          return epoch;
        },
      });
    }
    for (const info of infos) queue.accepts(info);
    expect(takeAll(queue)).toHaveLength(20_000);
    expect(epochReads).toBeLessThan(20_000 * 4);
  });
});
