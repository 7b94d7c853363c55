import { ConnectorError } from '../../../lib/errors';
import type { PartitionTopicInfo } from '../../../lib/fetch/PartitionTopicInfo';
import { OffsetCommits, type WantedCommit } from '../../../lib/offsets/OffsetCommits';
import { BlockingQueue } from '../../../lib/stream/BlockingQueue';
import { recordedEvents, type Told } from '../fetch/support/parts';
import { infoOf, isPending } from '../stream/support/parts';
import { MemoryOffsetStore } from './support/MemoryOffsetStore';

const ONCE = { retryOnFailure: false };

interface Parts {
  readonly commits: OffsetCommits;
  readonly store: MemoryOffsetStore;
  readonly told: Told[];
  readonly owned: Set<PartitionTopicInfo>;
  readonly infos: readonly PartitionTopicInfo[];
}

function parts(): Parts {
  const { events, told } = recordedEvents();
  const queue = new BlockingQueue(2);
  const infos = [0, 1, 2].map((partition) => infoOf(queue, { partition, stored: 10 }));
  const owned = new Set(infos);
  return {
    commits: new OffsetCommits(events, (info) => owned.has(info)),
    store: new MemoryOffsetStore(),
    told,
    owned,
    infos,
  };
}

function wanted(infos: readonly PartitionTopicInfo[], ...offsets: number[]): WantedCommit[] {
  return infos.flatMap((info, index) => {
    const nextOffset = offsets[index];
    return nextOffset === undefined ? [] : [{ info, nextOffset, jumps: info.jumps }];
  });
}

describe('OffsetCommits', () => {
  it('stores what is news, and tells what was stored', async () => {
    const { commits, store, told, infos } = parts();
    await commits.commit(store, wanted(infos, 11, 10, 9), ONCE);
    expect(store.writes).toEqual(['orders/0=11']);
    expect(told).toEqual([
      ['offsets:committed', { offsets: [{ topic: 'orders', partition: 0, nextOffset: 11 }] }],
    ]);
    await commits.commit(store, wanted(infos, 11, 10), ONCE);
    expect([store.writes.length, told.length]).toEqual([1, 1]);
  });

  it('stores one commit after the other, so that none overtakes another', async () => {
    const { commits, store, infos } = parts();
    const open = store.block();
    const first = commits.commit(store, wanted(infos, 20), ONCE);
    const second = commits.commit(store, wanted(infos, 15), ONCE);
    const third = commits.commit(store, wanted(infos, 25), ONCE);
    expect(await isPending(Promise.race([first, second, third]))).toBe(true);
    expect(store.writes).toEqual(['orders/0=20']);
    open();
    await Promise.all([first, second, third]);
    expect(store.writes).toEqual(['orders/0=20', 'orders/0=25']);
  });

  it('rejects, and stores nothing, for partitions that were given up before their turn', async () => {
    const { commits, store, told, owned, infos } = parts();
    const open = store.block();
    const first = commits.commit(store, wanted(infos, 20), ONCE);
    const second = commits.commit(store, wanted(infos, 30, 30), ONCE);
    expect(await isPending(first)).toBe(true);
    for (const info of infos) owned.delete(info);
    open();
    await first;
    await expect(second).rejects.toMatchObject({ code: 'COMMIT_FAILED', cause: { code: 'NOT_OWNED' } });
    expect(store.writes).toEqual(['orders/0=20']);
    expect(told).toHaveLength(1);
  });

  it('goes back after a seek only; a commit that was asked for before it does not bind those after', async () => {
    const { commits, store, infos } = parts();
    const [info] = infos as [PartitionTopicInfo];
    const open = store.block();
    const slow = commits.commit(store, wanted(infos, 20), ONCE);
    const queued = commits.commit(store, wanted(infos, 30), ONCE);
    expect(await isPending(slow)).toBe(true);
    info.jump(5);
    open();
    await Promise.all([slow, queued]);
    await commits.commit(store, wanted(infos, 6), ONCE);
    expect(store.writes).toEqual(['orders/0=20', 'orders/0=30', 'orders/0=6']);
    await commits.commit(store, wanted(infos, 5), ONCE);
    expect(store.writes).toHaveLength(3);
  });

  it('rejects with COMMIT_FAILED if one could not be stored; the others are, and a later commit tries again', async () => {
    const { commits, store, told, infos } = parts();
    store.failing.set('orders/1', new ConnectorError('NO_AUTH', 'not allowed', { path: '/consumers/g' }));
    await expect(commits.commit(store, wanted(infos, 11, 12, 13), ONCE)).rejects.toMatchObject({
      code: 'COMMIT_FAILED',
      retriable: true,
      message: expect.stringContaining('1 of 3') as string,
      context: { path: '/consumers/g' },
      cause: { code: 'NO_AUTH' },
    });
    expect(store.stored).toEqual(
      new Map([
        ['orders/0', 11],
        ['orders/2', 13],
      ]),
    );
    expect(told).toHaveLength(1);
    store.failing.clear();
    await commits.commit(store, wanted(infos, 11, 12, 13), ONCE);
    expect(store.stored.get('orders/1')).toBe(12);
  });

  it('goes on after one that failed, also with an error of another kind', async () => {
    const { commits, store, infos } = parts();
    store.rejection = new TypeError('unexpected');
    const failing = commits.commit(store, wanted(infos, 11, 12), ONCE);
    const open = store.block();
    const behind = commits.commit(store, wanted(infos.slice(1), 12), ONCE);
    await expect(failing).rejects.toMatchObject({
      code: 'COMMIT_FAILED',
      message: expect.stringMatching(/2 of 2 .*unexpected/) as string,
    });
    store.rejection = null;
    open();
    await behind;
    expect(store.stored.get('orders/1')).toBe(12);
  });

  it('stores all of a commit with one call, and passes on whether to try again', async () => {
    const { commits, store, infos } = parts();
    await commits.commit(store, wanted(infos, 11, 12, 13), { retryOnFailure: true });
    await commits.commit(store, wanted(infos, 21, 12), ONCE);
    expect(store.calls).toEqual([{ retryOnFailure: true }, { retryOnFailure: false }]);
    expect(store.writes).toEqual(['orders/0=11', 'orders/1=12', 'orders/2=13', 'orders/0=21']);
  });

  describe('in a store that forgets', () => {
    it('stores again what is unchanged, but nothing lower', async () => {
      const { commits, store, told, infos } = parts();
      store.forgets = true;
      await commits.commit(store, wanted(infos, 11, 10, 9), ONCE);
      expect(store.writes).toEqual(['orders/0=11', 'orders/1=10']);
      await commits.commit(store, wanted(infos, 11, 10, 9), ONCE);
      expect(store.writes.slice(2)).toEqual(['orders/0=11', 'orders/1=10']);
      await commits.commit(store, wanted(infos, 10), ONCE);
      expect(store.writes).toHaveLength(4);
      expect(told).toHaveLength(2);
    });

    it('has nothing against an unchanged one that was given up before its turn', async () => {
      const { commits, store, owned, infos } = parts();
      store.forgets = true;
      owned.clear();
      await commits.commit(store, wanted(infos, 10, 10, 10), ONCE);
      await expect(commits.commit(store, wanted(infos, 10, 11), ONCE)).rejects.toMatchObject({
        code: 'COMMIT_FAILED',
        message: expect.stringContaining('1 of 1') as string,
      });
      expect(store.calls).toEqual([]);
    });
  });
});
