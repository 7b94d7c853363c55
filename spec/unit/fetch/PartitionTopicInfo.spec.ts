import { keyOf, type PartitionTopicInfo } from '../../../lib/fetch/PartitionTopicInfo';
import { BlockingQueue } from '../../../lib/stream/BlockingQueue';
import { infoOf } from '../stream/support/parts';

/** Stores a position if that is news, as a commit does. */
function commit(info: PartitionTopicInfo, nextOffset: number): boolean {
  if (!info.isNews(nextOffset)) return false;
  info.stored(nextOffset, info.jumps);
  return true;
}

describe('PartitionTopicInfo', () => {
  const queue = new BlockingQueue(2);

  it('begins where the stored position is, or nowhere', () => {
    const known = infoOf(queue, { stored: 7 });
    expect([known.fetchOffset, known.handedOffset, known.processedOffset, known.storedOffset]).toEqual([
      7, 7, 7, 7,
    ]);
    const unknown = infoOf(queue, { stored: null });
    expect([unknown.fetchOffset, unknown.handedOffset, unknown.processedOffset]).toEqual([null, null, null]);
    expect(keyOf(known)).toBe('orders/0');
  });

  it('counts as processed what goes forward, in the epoch in which it was handed out', () => {
    const info = infoOf(queue, { stored: 7 });
    info.processed(9, info.epoch);
    info.processed(8, info.epoch);
    expect(info.processedOffset).toBe(9);
    const before = info.epoch;
    info.jump(3);
    info.processed(10, before);
    expect(info.processedOffset).toBe(3);
  });

  it('stores nothing twice and nothing that goes back, except after a jump', () => {
    const info = infoOf(queue, { stored: 7 });
    expect([commit(info, 7), commit(info, 6), commit(info, 9), commit(info, 8), commit(info, 9)]).toEqual([
      ...[false, false, true, false, false],
    ]);
    info.jump(3);
    expect([commit(info, 9), commit(info, 3), commit(info, 2), commit(info, 4)]).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('lets a commit from before a jump not bind those after it', () => {
    const info = infoOf(queue, { stored: 7 });
    const { jumps } = info;
    info.jump(3);
    info.stored(20, jumps);
    expect([info.storedOffset, info.isNews(4), info.isNews(20)]).toEqual([20, true, false]);
  });

  it('ends a failure, and what was known of resets, by a jump', () => {
    const info = infoOf(queue);
    info.outOfRangeOffset = 4;
    info.resetsInARow = 1;
    info.jump(9);
    expect([info.failure, info.outOfRangeOffset, info.resetsInARow, info.fetchOffset]).toEqual([
      null,
      null,
      0,
      9,
    ]);
  });

  it('goes on behind what was handed out when what was fetched is thrown away', () => {
    const info = infoOf(queue, { stored: 7 });
    info.fetchOffset = 20;
    info.handedOffset = 9;
    info.discardFetched();
    expect(info.fetchOffset).toBe(9);
  });

  it('continues another one behind what is processed or committed there, and may go back if that might', () => {
    const positions = ({ fetchOffset, handedOffset, processedOffset }: PartitionTopicInfo): unknown[] => [
      ...[fetchOffset, handedOffset, processedOffset],
    ];
    const before = infoOf(queue, { stored: 7 });
    before.processed(9, before.epoch);
    before.handedOffset = 10;
    const after = infoOf(queue, { stored: 7 });
    after.continueFrom(before);
    expect(positions(after)).toEqual([9, 9, 9]);

    commit(before, 10); // by commitOffsets(): it counts as consumed
    const committed = infoOf(queue, { stored: 10 });
    committed.continueFrom(before);
    expect(positions(committed)).toEqual([10, 10, 10]);
    expect(committed.isNews(8)).toBe(false);

    before.jump(3);
    const back = infoOf(queue, { stored: 10 });
    back.continueFrom(before);
    expect(positions(back)).toEqual([3, 3, 3]);
    expect(back.isNews(4)).toBe(true);

    const nowhere = infoOf(queue, { stored: null });
    nowhere.continueFrom(infoOf(queue, { stored: null }));
    expect(positions(nowhere)).toEqual([null, null, null]);
  });
});
