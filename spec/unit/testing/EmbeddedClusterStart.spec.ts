import { EmbeddedCluster } from '../../../lib/testing';

describe('a start of a broker', () => {
  it('that fails leaves it with the properties that it had', async () => {
    await using cluster = await EmbeddedCluster.start({ brokerProperties: { 'num.partitions': '2' } });
    await cluster.stopBroker(1);
    const properties = { 'advertised.listeners': 'nowhere', 'num.partitions': '7' };
    await expect(cluster.startBroker(1, { properties })).rejects.toThrow('advertised.listeners');
    const running = { 'advertised.port': '12345' };
    await cluster.startBroker(1, { properties: running });
    expect(cluster.znodes('/brokers/ids/1').get('/brokers/ids/1')).toContain('12345');
    await cluster.stopBroker(1);
    await expect(cluster.startBroker(1, { properties })).rejects.toThrow('advertised.listeners');
    await cluster.startBroker(1);
    expect(cluster.znodes('/brokers/ids/1').get('/brokers/ids/1')).toContain('12345');
  });

  it('is refused while it is being started', async () => {
    await using cluster = await EmbeddedCluster.start();
    await cluster.stopBroker(1);
    const first = cluster.startBroker(1);
    await expect(cluster.startBroker(1)).rejects.toThrow('broker 1 is being started');
    await first;
    await expect(cluster.startBroker(1)).rejects.toThrow('broker 1 runs already');
  });
});

describe('a cluster that is made by new', () => {
  it.each([[], [{}], [{ brokers: 1 }]])('is refused: %j', (...given) => {
    const Constructor = EmbeddedCluster as unknown as new (...given: unknown[]) => EmbeddedCluster;
    expect(() => new Constructor(...given)).toThrow(
      new TypeError('a cluster is started by: await EmbeddedCluster.start(options)'),
    );
  });
});
