import { EmbeddedKafka } from '../../../../lib/testing/kafka/EmbeddedKafka';
import { EmbeddedNetwork } from '../../../../lib/testing/network/EmbeddedNetwork';
import { ZookeeperEnsemble } from '../../../../lib/testing/zookeeper/ZookeeperEnsemble';

describe('a fault of brokers', () => {
  it('is a warning of the process if nobody else wants to be told', async () => {
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const network = new EmbeddedNetwork(1);
    const zookeeper = new ZookeeperEnsemble({ network, release: '3.4' });
    const kafka = new EmbeddedKafka({
      ...{ network, zookeeper, generation: '1.1', brokers: 1, chroot: '', seed: 1 },
      properties: () => Promise.resolve({}),
    });
    try {
      await zookeeper.start();
      await kafka.start();
      const session = zookeeper.openSession('');
      session.create('/brokers/topics/bad', '{"version":1,"partitions":{"0":[1]}}', { ephemeral: true });
      kafka.createTopic('t', [[1]]);
      expect(warnings.mock.calls).toEqual([
        [
          expect.stringMatching(/^an embedded broker failed: .*NO_CHILDREN_FOR_EPHEMERALS/),
          { type: 'EmbeddedClusterWarning', detail: expect.stringContaining('ZookeeperFault') as string },
        ],
      ]);
    } finally {
      warnings.mockRestore();
      await kafka.stop();
      await zookeeper.stop();
    }
  });
});
