import { EmbeddedNetwork } from '../../../../lib/testing/network/EmbeddedNetwork';
import { ZookeeperEnsemble } from '../../../../lib/testing/zookeeper/ZookeeperEnsemble';
import { isOpen } from '../network/support/isOpen';
import { TestEnsemble } from './support/TestEnsemble';

describe('servers of an ensemble', () => {
  let zookeeper: TestEnsemble;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ servers: 3 });
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  const open = (): Promise<boolean[]> =>
    Promise.all(zookeeper.ensemble.servers.map(({ port }) => isOpen(port)));

  it('can be started twice at the same time; each start waits until the server runs', async () => {
    const network = new EmbeddedNetwork(1);
    const ensemble = new ZookeeperEnsemble({ network, release: '3.8' });
    const first = ensemble.startServer(1);
    await ensemble.startServer(1);
    const [{ port } = { port: 0 }] = ensemble.servers;
    expect(await isOpen(port)).toBe(true);
    await first;
    await ensemble.stop();
    expect(await isOpen(port)).toBe(false);
  });

  it('can be started one by one and all together at the same time', async () => {
    const { ensemble } = zookeeper;
    await ensemble.stop();
    await Promise.all([ensemble.startServer(2), ensemble.start(), ensemble.startServer(3)]);
    expect(await open()).toEqual([true, true, true]);
    await zookeeper.client(2);
  });

  it('do not listen when all are stopped while one starts', async () => {
    const { ensemble } = zookeeper;
    await ensemble.stopServer(1);
    const starts = Promise.allSettled([ensemble.startServer(1), ensemble.startServer(1)]);
    await ensemble.stop();
    expect(await open()).toEqual([false, false, false]);
    const reason = new Error('stopped before it was started');
    const refused = { status: 'rejected', reason };
    await expect(starts).resolves.toEqual([refused, refused]);
    await ensemble.start();
    expect(await open()).toEqual([true, true, true]);
  });

  it('can be stopped and started without waiting', async () => {
    const { ensemble } = zookeeper;
    const stopped = ensemble.stopServer(3);
    await ensemble.startServer(3);
    await stopped;
    expect(await open()).toEqual([true, true, true]);
    await zookeeper.client(3);
  });
});
