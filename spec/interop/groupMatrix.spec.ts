import { RealCluster } from '../support/cluster/RealCluster';
import { JvmMember } from '../support/jvm/JvmMember';
import { report } from '../support/report';
import { brokerPropertiesOf, cellsByKafka } from './support/cells';
import { MixedGroup, type Member } from './support/MixedGroup';

// The first run on a machine resolves the jars.
jest.setTimeout(300_000);

describe.each(cellsByKafka())('groups with members of the JVM and of Node on Kafka %s', (kafka, cells) => {
  let cluster: RealCluster;

  beforeAll(async () => {
    cluster = await RealCluster.start({ kafka, brokerProperties: brokerPropertiesOf(kafka) });
  });

  afterAll(() => cluster.stop());

  it.each(cells)(
    'connector $connector, $scene: everyone has the own share of the partitions, and nothing is lost, while both kinds join, leave and are killed',
    async ({ connector, scene, sharing, isJvmSilent, play }) => {
      const name = `${scene}-${connector}`;
      await using group = await MixedGroup.on({ cluster, name, release: connector, sharing, isJvmSilent });
      await play(group);
      const accounts = await group.finish();
      report(`${connector} on ${kafka}, ${scene}: ${accounts.summary}`);
      expect(accounts.missing).toEqual([]);
      expect(accounts.unexplained).toEqual([]);
      const isSilent = (member: Member): boolean => isJvmSilent && member instanceof JvmMember;
      for (const member of group.members) {
        expect(member.errors).toEqual([]);
        expect(member.messages.length > 0).toBe(!isSilent(member));
      }
    },
  );
});
