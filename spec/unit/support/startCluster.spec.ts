import { EmbeddedTestCluster } from '../../support/cluster/EmbeddedTestCluster';
import { startCluster } from '../../support/cluster/startCluster';

describe('startCluster', () => {
  const before = process.env['CLUSTERS'];

  afterEach(() => {
    if (before === undefined) delete process.env['CLUSTERS'];
    else process.env['CLUSTERS'] = before;
  });

  it('starts an embedded cluster by default, with the chroot of real ones', async () => {
    delete process.env['CLUSTERS'];
    await using cluster = await startCluster({ kafka: '0.8.2.2' });
    expect(cluster).toBeInstanceOf(EmbeddedTestCluster);
    expect(cluster.kafka).toBe('0.8.2.2');
    expect(cluster.zookeeperConnect).toMatch(/^127\.0\.0\.1:\d+\/kafka$/);
    expect(cluster.brokers).toMatchObject([{ id: 1, host: '127.0.0.1' }]);
  });

  it('refuses a release that no embedded cluster stands for', async () => {
    process.env['CLUSTERS'] = 'embedded';
    await expect(startCluster({ kafka: '2.8.2' })).rejects.toThrow(
      'There is no embedded Kafka "2.8.2"; there are: 0.8.2.2, 0.9.0.1, 0.10.2.2, 1.1.1, 3.9.1',
    );
  });

  it('refuses a kind of clusters that there is not', () => {
    process.env['CLUSTERS'] = 'virtual';
    expect(() => startCluster({ kafka: '3.9.1' })).toThrow(
      'CLUSTERS is "virtual", but has to be one of: embedded, real',
    );
  });
});
