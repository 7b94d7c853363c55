import {
  coordinatorPartition,
  javaHashOf,
} from '../../../../../lib/testing/kafka/groups/coordinatorPartition';
import { findCoordinatorRoute } from '../../../../../lib/testing/kafka/groups/findCoordinatorRoute';
import { GroupCluster } from './support/GroupCluster';

const NOBODY = { nodeId: -1, host: '', port: -1 };

function asking(key: string, keyType = 0) {
  return { key, keyType, coordinatorKeys: [] };
}

describe('the partition of a group', () => {
  it.each([
    ['', 0],
    ['a', 97],
    ['group', 98629247],
    ['my-consumer-group', 1513705513],
    ['orders', -1008770331],
    // The only short text whose hash is the smallest number.
    ['polygenelubricants', -2147483648],
    ['ü€', 16_176],
  ])('is found by Java’s hash of %j', (text, hash) => {
    expect(javaHashOf(text)).toBe(hash);
  });

  it.each([
    ['a', 47],
    ['', 0],
    ['polygenelubricants', 0],
    ['my-consumer-group', 13],
    ['orders', 31],
  ])('of %j is number %i of 50', (group, partition) => {
    using cluster = new GroupCluster('3.9');
    expect(coordinatorPartition(cluster, group)?.partition).toBe(partition);
  });
});

describe('FindCoordinator', () => {
  it('has the topic of offsets created, and finds nobody until it has leaders', async () => {
    using cluster = new GroupCluster('0.8', {}, false);
    const nobody = { errorCode: 15, ...NOBODY };
    expect(await cluster.ask(findCoordinatorRoute, asking('g'), { version: 0 })).toMatchObject(nobody);
    expect(cluster.created).toEqual(['__consumer_offsets']);
    cluster.addTopic('__consumer_offsets', 50);
    cluster.moveCoordinator(-1);
    expect(await cluster.ask(findCoordinatorRoute, asking('g'), { version: 0 })).toMatchObject(nobody);
    cluster.moveCoordinator(2);
    expect(await cluster.ask(findCoordinatorRoute, asking('g'), { version: 0 })).toMatchObject({
      errorCode: 0,
      nodeId: 2,
      host: '127.0.0.1',
      port: 9002,
    });
    expect(cluster.created).toHaveLength(1);
  });

  it('has words for its errors in 3.9, but not before', async () => {
    using last = new GroupCluster('3.9');
    expect(await last.ask(findCoordinatorRoute, asking('g'), { version: 1 })).toMatchObject({
      errorMessage: 'NONE',
    });
    last.moveCoordinator(-1);
    expect(await last.ask(findCoordinatorRoute, asking('g'), { version: 3 })).toMatchObject({
      errorMessage: 'The coordinator is not available.',
    });
    using earlier = new GroupCluster('1.1');
    expect(await earlier.ask(findCoordinatorRoute, asking('g'), { version: 1 })).toMatchObject({
      errorMessage: null,
    });
  });

  it('finds the coordinators of several groups from version 4 on', async () => {
    using cluster = new GroupCluster('3.9');
    const request = { key: '', keyType: 0, coordinatorKeys: ['g', 'other'] };
    const { coordinators } = await cluster.ask(findCoordinatorRoute, request, { version: 4 });
    const found = { errorCode: 0, nodeId: 1, host: '127.0.0.1', port: 9001 };
    expect(coordinators).toEqual([
      { key: 'g', ...found },
      { key: 'other', ...found },
    ]);
  });

  it('finds nobody for transactions, and nothing is created for them', async () => {
    using cluster = new GroupCluster('1.1', {}, false);
    const answer = await cluster.ask(findCoordinatorRoute, asking('id', 1), { version: 1 });
    expect(answer).toMatchObject({ errorCode: 15, ...NOBODY });
    expect(cluster.created).toEqual([]);
  });

  it('refuses key types that are not known: 1.1 ends the connection', async () => {
    using last = new GroupCluster('3.9');
    expect(await last.ask(findCoordinatorRoute, asking('g', 5), { version: 1 })).toMatchObject({
      errorCode: 42,
    });
    expect(await last.ask(findCoordinatorRoute, asking('g', 2), { version: 5 })).toMatchObject({
      errorCode: 42,
    });
    expect(await last.ask(findCoordinatorRoute, asking('g', 2), { version: 6 })).toMatchObject({
      errorCode: 15,
    });
    using earlier = new GroupCluster('1.1');
    await expect(earlier.ask(findCoordinatorRoute, asking('g', 2), { version: 1 })).rejects.toThrow(
      RangeError,
    );
  });
});
