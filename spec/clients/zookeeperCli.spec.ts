// ZooKeeper's own command line on the embedded cluster.
import { EmbeddedCluster, type EmbeddedClusterOptions } from '../../lib/testing';
import { runJavaMain } from '../support/clients/javaMain';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const CELLS: readonly { release: string; kafka: NonNullable<EmbeddedClusterOptions['kafka']> }[] = [
  { release: '0.8.2.2', kafka: '0.8' },
  { release: '3.9.1', kafka: '3.9' },
];

describe.each(CELLS)('the command line of the ZooKeeper of Kafka $release', ({ release, kafka }) => {
  /** From 3.5 on it has to be asked for. */
  const withStat = kafka === '3.9' ? 'get -s' : 'get';
  let cluster: EmbeddedCluster;
  /** Runs commands in one session. */
  const cli = async (...commands: string[]): Promise<string> => {
    const server = ['-server', cluster.zookeeperConnect];
    const { stdout, stderr } = await runJavaMain(release, 'org.apache.zookeeper.ZooKeeperMain', server, {
      // Its exit code is that of the last command, and refusals are wanted here.
      input: [...commands, 'ls /', 'quit'],
    });
    return stdout + stderr;
  };

  beforeAll(async () => {
    cluster = await EmbeddedCluster.start({ kafka, topics: { listed: 2 } });
  });

  afterAll(() => cluster.stop());

  it('shows the nodes of the brokers', async () => {
    const shown = await cli('ls /brokers/topics', `${withStat} /brokers/ids/1`);
    expect(shown).toContain('[listed]');
    expect(shown).toContain(cluster.znodes('/brokers/ids/1').get('/brokers/ids/1'));
    expect(shown).toMatch(/dataVersion = \d/);
  });

  it('creates, changes and removes nodes of all kinds', async () => {
    const shown = await cli(
      ...['create /made first', 'set /made second', 'create -s /made/child- x', 'create -e /made/mine y'],
      ...['ls /made', 'stat /made', 'getAcl /made', 'create /made again', 'delete /nothing'],
    );
    expect(shown).toContain('Created /made/child-0000000000');
    expect(shown).toContain('Created /made/mine');
    expect(shown).toMatch(/\[(child-0000000000, mine|mine, child-0000000000)\]/);
    expect(shown).toMatch(/numChildren = 2/);
    expect(shown).toMatch(/'world,'anyone\n: cdrwa/);
    expect(shown).toMatch(/Node already exists: \/made/);
    expect(shown).toMatch(/Node does not exist: \/nothing/);
    // The session has ended in order, and its node with it.
    expect([...cluster.znodes('/made')]).toEqual([
      ['/made', 'second'],
      ['/made/child-0000000000', 'x'],
    ]);
  });

  it('is refused what an ACL forbids, until it says who it is', async () => {
    await cli('addauth digest me:secret', 'create /mine hidden', 'setAcl /mine auth::cdrwa');
    await expect(cli('get /mine')).resolves.toMatch(/(Authentication is not valid|Insufficient permission)/);
    await expect(cli('addauth digest me:secret', 'get /mine')).resolves.toContain('hidden');
  });
});
