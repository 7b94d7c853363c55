import { silentLogger } from '../../../lib/logger';
import { PartitionOwnership } from '../../../lib/zookeeper/PartitionOwnership';
import { GroupPaths } from '../../../lib/zookeeper/paths';
import { ZookeeperSession } from '../../../lib/zookeeper/ZookeeperSession';
import { startCluster } from '../../support/cluster/startCluster';
import type { TestCluster } from '../../support/cluster/TestCluster';
import { ZookeeperAdmin } from '../../support/cluster/ZookeeperAdmin';

jest.setTimeout(60_000);

const CHROOT = '/kafka';
const MISSING_CHROOT = '/bad';
const DATA = Buffer.from('data');
const PARTITION = { topic: 't', partition: 0, threadId: 'group_consumer-0' };

let cluster: TestCluster;
/** At the chroot. */
let admin: ZookeeperAdmin;
/** Above every chroot. */
let root: ZookeeperAdmin;
const sessions: ZookeeperSession[] = [];

beforeAll(async () => {
  cluster = await startCluster({ kafka: '0.8.2.2', brokers: 0, chroot: CHROOT });
  admin = await cluster.zookeeper();
  root = await ZookeeperAdmin.connect(servers());
});

afterAll(async () => {
  await admin.close();
  await root.close();
  await cluster.stop();
});

afterEach(async () => {
  await Promise.all(sessions.splice(0).map((session) => session.close()));
  for (const name of await admin.children('/')) {
    if (name !== 'zookeeper') await admin.removeRecursive(`/${name}`);
  }
});

function servers(): string {
  return cluster.zookeeperServers.map(({ host, port }) => `${host}:${port}`).join();
}

async function open(chroot = CHROOT): Promise<ZookeeperSession> {
  const session = await ZookeeperSession.open({
    ...{ servers: servers(), chroot, logger: silentLogger },
    ...{ sessionTimeoutMs: 6000, connectionTimeoutMs: 10_000 },
    ...{ onWatch: () => undefined, onState: () => undefined },
  });
  sessions.push(session);
  return session;
}

it.each(['/alone', '/parent/child', '/parent/of/grandchild'])(
  'ZKEphemeralTest.testZkWatchedEphemeral: %s is created with its parents, and goes with its session, while they stay',
  async (path) => {
    const session = await open();
    expect(await session.createWithParents(path, DATA, 'ephemeral')).toBe('created');
    expect(await admin.get(path)).toMatchObject({ data: DATA, ephemeralOwner: session.id });
    await session.close();
    expect(await admin.exists(path)).toBe(false);
    const parent = path.slice(0, path.lastIndexOf('/')) || '/';
    expect(await admin.get(parent)).toMatchObject({ ephemeralOwner: '0x0' });
  },
);

it('ZKEphemeralTest.testOverlappingSessions: a node of another session is there already, and no claim, though it has the same data', async () => {
  const [first, second] = [await open(), await open()];
  const paths = new GroupPaths('group');
  const path = paths.owner(PARTITION.topic, PARTITION.partition);
  await new PartitionOwnership(first, paths).claim([PARTITION]);

  const data = Buffer.from(PARTITION.threadId);
  expect(await second.createWithParents(path, data, 'ephemeral')).toBe('exists');
  await expect(new PartitionOwnership(second, paths).claim([PARTITION])).rejects.toMatchObject({
    code: 'REBALANCE_FAILED',
    context: { path },
  });
  expect(await admin.get(path)).toMatchObject({ data, ephemeralOwner: first.id });
});

it('ZKEphemeralTest.testSameSession: a node of the own session is a claim', async () => {
  const session = await open();
  const paths = new GroupPaths('group');
  const path = paths.owner(PARTITION.topic, PARTITION.partition);
  const data = Buffer.from(PARTITION.threadId);
  expect(await session.createWithParents(path, data, 'ephemeral')).toBe('created');
  const created = await admin.get(path);

  const ownership = new PartitionOwnership(session, paths);
  await ownership.claim([PARTITION]);
  expect(await ownership.stands([PARTITION])).toBe(true);
  expect(await admin.get(path)).toEqual(created);
});

/** Each makes a node, in its way. */
const creates = {
  persistent: (session: ZookeeperSession) => session.create('/node', DATA, 'persistent'),
  withParents: (session: ZookeeperSession) => session.createWithParents('/node/x/y', DATA, 'persistent'),
  ephemeral: (session: ZookeeperSession) => session.createWithParents('/node', DATA, 'ephemeral'),
};

/** What becomes of a create below a chroot that is not there; it leaves nothing behind. */
async function failureWithoutChroot(
  create: (session: ZookeeperSession) => Promise<unknown>,
): Promise<unknown> {
  const before = await root.tree('/');
  const failure = await open(MISSING_CHROOT)
    .then(create)
    .catch((error: unknown) => error);
  expect(await root.tree('/')).toEqual(before);
  expect(await cluster.sessions()).toHaveLength(2); // those of this spec
  return failure;
}

const CHROOT_MISSING = { code: 'CHROOT_MISSING', context: { path: MISSING_CHROOT } };

it('ZKPathTest.testCreatePersistentPathThrowsException: CHROOT_MISSING instead of a persistent node', async () => {
  expect(await failureWithoutChroot(creates.persistent)).toMatchObject(CHROOT_MISSING);
});

it('ZKPathTest.testCreatePersistentPath: a persistent node is there below the chroot', async () => {
  expect(await creates.persistent(await open())).toBe('created');
  expect(await root.get(`${CHROOT}/node`)).toMatchObject({ data: DATA, ephemeralOwner: '0x0' });
});

it('ZKPathTest.testMakeSurePersistsPathExistsThrowsException: CHROOT_MISSING instead of a node with its parents', async () => {
  expect(await failureWithoutChroot(creates.withParents)).toMatchObject(CHROOT_MISSING);
});

it('ZKPathTest.testMakeSurePersistsPathExists: a node and its parents are there below the chroot, and may be there already', async () => {
  const session = await open();
  expect(await creates.withParents(session)).toBe('created');
  expect(await creates.withParents(session)).toBe('exists');
  expect(await root.get(`${CHROOT}/node/x/y`)).toMatchObject({ data: DATA, ephemeralOwner: '0x0' });
});

it('ZKPathTest.testCreateEphemeralPathThrowsException: CHROOT_MISSING instead of an ephemeral node', async () => {
  expect(await failureWithoutChroot(creates.ephemeral)).toMatchObject(CHROOT_MISSING);
});

it('ZKPathTest.testCreateEphemeralPathExists: an ephemeral node is there below the chroot', async () => {
  const session = await open();
  expect(await creates.ephemeral(session)).toBe('created');
  expect(await root.get(`${CHROOT}/node`)).toMatchObject({ data: DATA, ephemeralOwner: session.id });
});
