import { GENERATIONS } from '../../../../../lib/testing/kafka/Generation';
import { GroupCluster } from './support/GroupCluster';
import { commit, fetchOffsets } from './support/offsetRequests';

describe.each(GENERATIONS)('stored offsets in %s', (generation) => {
  it('are those of the last commit, with their metadata', async () => {
    using cluster = new GroupCluster(generation);
    expect(await commit(cluster, { 0: 5, 1: 6 })).toEqual({ 0: 0, 1: 0 });
    expect(await commit(cluster, { 1: 7 }, { metadata: 'later' })).toEqual({ 1: 0 });
    expect(await fetchOffsets(cluster, [1, 0])).toEqual([
      [7, 'later', 0],
      [5, 'note', 0],
    ]);
  });

  it('are -1 without an error where there are none', async () => {
    using cluster = new GroupCluster(generation);
    expect(await fetchOffsets(cluster, [0])).toEqual([[-1, '', 0]]);
  });

  it('are refused by a broker that does not coordinate the group', async () => {
    using cluster = new GroupCluster(generation);
    await commit(cluster, { 0: 5 });
    cluster.moveCoordinator(2);
    expect(await commit(cluster, { 0: 6 })).toEqual({ 0: 16 });
    // 3.9 has no place for the error in version 1.
    expect(await fetchOffsets(cluster, [0])).toEqual(generation === '3.9' ? [] : [[-1, '', 16]]);
    expect(await fetchOffsets(cluster, [0], { broker: 2 })).toEqual([[5, 'note', 0]]);
  });

  it('with metadata of the most length are stored, and with more refused', async () => {
    using cluster = new GroupCluster(generation, { 'offset.metadata.max.bytes': '10' });
    expect(await commit(cluster, { 0: 5 }, { metadata: 'x'.repeat(10) })).toEqual({ 0: 0 });
    expect(await commit(cluster, { 0: 6 }, { metadata: 'x'.repeat(11) })).toEqual({ 0: 12 });
    // 0.8 refuses it, and shows it nevertheless.
    const shown = generation === '0.8' ? [6, 'x'.repeat(11), 0] : [5, 'x'.repeat(10), 0];
    expect(await fetchOffsets(cluster, [0])).toEqual([shown]);
  });

  it('have the metadata null up to 0.9 only', async () => {
    using cluster = new GroupCluster(generation);
    await commit(cluster, { 0: 5 }, { metadata: null });
    expect(await fetchOffsets(cluster, [0])).toEqual([
      [5, ['0.8', '0.9'].includes(generation) ? null : '', 0],
    ]);
  });

  it('have the time of the commit, unless the client says another', async () => {
    using cluster = new GroupCluster(generation);
    const before = Date.now();
    await commit(cluster, { 0: 5 });
    await commit(cluster, { 1: 6 }, { version: 1, commitTimestamp: 77 });
    const stored = cluster.groups.committedOffsets('g').get('t');
    expect(stored?.get(0)?.commitTimestamp).toBeGreaterThanOrEqual(before);
    expect(stored?.get(1)).toEqual({ offset: 6, leaderEpoch: 4, metadata: 'note', commitTimestamp: 77 });
  });

  it('of a topic that does not exist are refused, but by 0.8 only in version 0', async () => {
    using cluster = new GroupCluster(generation);
    expect(await commit(cluster, { 0: 5 }, { topic: 'missing' })).toEqual({
      0: generation === '0.8' ? 0 : 3,
    });
    expect(await commit(cluster, { 0: 5 }, { topic: 'missing', version: 0 })).toEqual({ 0: 3 });
    const unknown = generation === '0.8' ? 3 : 0;
    expect(await fetchOffsets(cluster, [0], { topic: 'missing' })).toEqual([[-1, '', unknown]]);
  });

  it('of a partition that does not exist are refused by 3.9', async () => {
    using cluster = new GroupCluster(generation);
    expect(await commit(cluster, { 9: 5 })).toEqual({ 9: generation === '3.9' ? 3 : 0 });
    expect(await commit(cluster, { 9: 5 }, { version: 0 })).toEqual({ 9: generation === '3.9' ? 3 : 0 });
    const fetched = { '0.8': [-1, '', 3], '3.9': [-1, '', 0] };
    expect(await fetchOffsets(cluster, [9])).toEqual([
      generation in fetched ? fetched[generation as keyof typeof fetched] : [5, 'note', 0],
    ]);
  });

  it('of version 0 are in ZooKeeper, whichever broker is asked', async () => {
    using cluster = new GroupCluster(generation);
    expect(await commit(cluster, { 1: 41 }, { version: 0, broker: 2 })).toEqual({ 1: 0 });
    expect(await commit(cluster, { 1: 42 }, { version: 0 })).toEqual({ 1: 0 });
    expect(cluster.zookeeper.get('/consumers/g/offsets/t/1')?.data.toString()).toBe('42');
    expect(await fetchOffsets(cluster, [1], { version: 0, broker: 2 })).toEqual([[42, '', 0]]);
    expect(await fetchOffsets(cluster, [1])).toEqual([[-1, '', 0]]);
  });

  it('of version 0 that are not there are an error, and no number is one, too', async () => {
    using cluster = new GroupCluster(generation);
    cluster.zookeeper.mkdirp('/consumers/g/offsets/t');
    cluster.zookeeper.create('/consumers/g/offsets/t/1', 'many');
    expect(await fetchOffsets(cluster, [0, 1], { version: 0 })).toEqual([
      [-1, '', 3],
      [-1, '', -1],
    ]);
    expect(await fetchOffsets(cluster, [0], { version: 0, topic: 'missing' })).toEqual([[-1, '', 3]]);
  });

  it('of version 0 cannot be stored for a group whose name is no name of a node', async () => {
    using cluster = new GroupCluster(generation);
    expect(await commit(cluster, { 0: 5 }, { version: 0, group: '' })).toEqual({ 0: -1 });
    expect(await fetchOffsets(cluster, [0], { version: 0, group: '' })).toEqual([[-1, '', -1]]);
  });

  it('of version 0 are refused with too much metadata, too', async () => {
    using cluster = new GroupCluster(generation, { 'offset.metadata.max.bytes': '3' });
    expect(await commit(cluster, { 0: 5 }, { version: 0 })).toEqual({ 0: 12 });
    expect(cluster.zookeeper.get('/consumers/g/offsets/t/0')).toBeNull();
  });
});

describe('a commit to the messages of 0.8', () => {
  it('is refused as not available where the broker has no replica, and as the wrong one where it only follows', async () => {
    using cluster = new GroupCluster('0.8', {}, false);
    expect(await commit(cluster, { 0: 5 })).toEqual({ 0: 15 });
    cluster.addTopic('__consumer_offsets', 50, [2]);
    expect(await commit(cluster, { 0: 5 })).toEqual({ 0: 15 });
    cluster.addTopic('__consumer_offsets', 50, [2, 1]);
    expect(await commit(cluster, { 0: 5 })).toEqual({ 0: 16 });
    expect(await commit(cluster, { 0: 5 }, { broker: 2 })).toEqual({ 0: 0 });
    expect(await fetchOffsets(cluster, [0])).toEqual([[-1, '', 16]]);
  });
});

describe('offsets of a deleted topic', () => {
  it.each([
    ['0.9', [[5, 'note', 0]]],
    ['3.9', [[-1, '', 0]]],
  ] as const)('in %s are then %j', async (generation, expected) => {
    using cluster = new GroupCluster(generation);
    await commit(cluster, { 0: 5 });
    cluster.groups.topicDeleted('t');
    expect(await fetchOffsets(cluster, [0])).toEqual(expected);
  });
});
