import { ConnectorError } from '../../../lib/errors';
import { GroupPaths } from '../../../lib/zookeeper/paths';
import { PartitionOwnership, type AssignedPartition } from '../../../lib/zookeeper/PartitionOwnership';
import { FakeSession, OWN_ID } from './support/FakeSession';

const paths = new GroupPaths('g');
const FOREIGN = '0x2';

function partitions(count: number): AssignedPartition[] {
  return Array.from({ length: count }, (_, partition) => ({ topic: 't', partition, threadId: 'g_a-0' }));
}

function make(): { fake: FakeSession; ownership: PartitionOwnership } {
  const fake = new FakeSession();
  return { fake, ownership: new PartitionOwnership(fake.session, paths) };
}

const owner = (partition: number): string => paths.owner('t', partition);

describe('a claim', () => {
  it('writes one ephemeral node with the thread id for each partition', async () => {
    const { fake, ownership } = make();
    await ownership.claim(partitions(3));
    expect([...fake.nodes]).toEqual(
      [0, 1, 2].map((p) => [owner(p), { data: Buffer.from('g_a-0'), owner: OWN_ID }]),
    );
    expect(await ownership.stands(partitions(3))).toBe(true);
    expect(await ownership.stands(partitions(2))).toBe(false);
  });

  it('creates a node again whose owner released it between our create and our look', async () => {
    const { fake, ownership } = make();
    fake.put(owner(0), 'g_b-0', FOREIGN);
    let looks = 0;
    fake.before = (request) => {
      if (request !== `read ${owner(0)}`) return;
      looks += 1;
      fake.nodes.delete(owner(0));
    };
    await ownership.claim(partitions(1));
    expect(looks).toBe(1);
    expect(fake.nodes.get(owner(0))?.owner).toBe(OWN_ID);
  });

  it('ends as a conflict when a node comes and goes again and again', async () => {
    const { fake, ownership } = make();
    fake.before = (request) => {
      if (request === `create ${owner(0)}`) fake.put(owner(0), 'g_b-0', FOREIGN);
      if (request === `read ${owner(0)}`) fake.nodes.delete(owner(0));
    };
    await expect(ownership.claim(partitions(1))).rejects.toMatchObject({ code: 'REBALANCE_FAILED' });
    expect(fake.asked.length).toBeLessThan(10);
    expect(await ownership.watchConflicts()).toBe(true);
  });

  it('replaces a node of ours for another thread of ours', async () => {
    const { fake, ownership } = make();
    fake.put(owner(0), 'g_a-1', OWN_ID);
    await ownership.claim(partitions(1));
    expect(fake.nodes.get(owner(0))?.data.toString()).toBe('g_a-0');
  });

  it('asks for every partition though the first one is another’s, and leaves nothing behind', async () => {
    const { fake, ownership } = make();
    fake.put(owner(0), 'g_a-0', FOREIGN);
    await expect(ownership.claim(partitions(3))).rejects.toMatchObject({
      code: 'REBALANCE_FAILED',
      context: { path: owner(0) },
    });
    expect(fake.asked).toContain(`create ${owner(2)}`);
    expect([...fake.nodes.keys()]).toEqual([owner(0)]);
  });

  it('leaves nothing behind when one request fails, and tells that failure', async () => {
    const { fake, ownership } = make();
    const refusal = new ConnectorError('NO_AUTH', 'no');
    fake.before = (request) => {
      if (request === `create ${owner(1)}`) throw refusal;
    };
    await expect(ownership.claim(partitions(3))).rejects.toBe(refusal);
    expect([...fake.nodes.keys()]).toEqual([]);
  });
});

describe('conflicts', () => {
  it('are watched after the claim that met them, 100 at most, and forgotten then', async () => {
    const { fake, ownership } = make();
    for (let p = 0; p < 120; p += 1) fake.put(owner(p), 'g_b-0', FOREIGN);
    await expect(ownership.claim(partitions(120))).rejects.toBeDefined();
    fake.asked.length = 0;
    expect(await ownership.watchConflicts()).toBe(false);
    expect(fake.asked.length).toBe(100);
    fake.nodes.clear();
    expect(await ownership.watchConflicts()).toBe(false);
  });
});

describe('a release', () => {
  it('leaves nodes alone that are gone or have become another session’s, whatever they hold', async () => {
    const { fake, ownership } = make();
    await ownership.claim(partitions(3));
    fake.nodes.delete(owner(0));
    fake.put(owner(1), 'g_a-0', FOREIGN);
    expect(await ownership.stands(partitions(3))).toBe(false);
    await ownership.release();
    expect([...fake.nodes.keys()]).toEqual([owner(1)]);
    expect(fake.asked.filter((request) => request.startsWith('remove'))).toEqual([`remove ${owner(2)}`]);
  });

  it('is tried again for what it could not do', async () => {
    const { fake, ownership } = make();
    await ownership.claim(partitions(2));
    fake.before = (request) => {
      if (request === `remove ${owner(0)}`) throw new ConnectorError('ZOOKEEPER_UNREACHABLE', 'no');
    };
    await expect(ownership.release()).rejects.toMatchObject({ code: 'ZOOKEEPER_UNREACHABLE' });
    expect([...fake.nodes.keys()]).toEqual([owner(0)]);
    fake.before = () => undefined;
    await ownership.release();
    expect(fake.nodes.size).toBe(0);
  });
});
