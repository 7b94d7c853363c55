import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import { rolesOf, serversWith } from '../support/ensemble';
import { GroupUnderLoad, rebalancesOf, sessionOf } from '../support/GroupUnderLoad';
import type { LocalMember } from '../support/LocalMember';
import { disorderOf } from '../support/StreamReadings';
import { TcpProxy } from '../support/TcpProxy';

jest.setTimeout(120_000);

const SESSION = { 'zookeeper.session.timeout.ms': 20_000 };

describe.each(['0.8.2.2', '3.9.1'])('an ensemble of three under load, with Kafka %s', (kafka) => {
  let cluster: TestCluster;
  /** In front of the servers, in their order, so that a spec can choose where members are. */
  let doors: TcpProxy[];
  let connect: string;

  beforeAll(async () => {
    cluster = await startCluster({
      ...{ kafka, zookeepers: 3 },
      // The brokers are not what is tried here.
      brokerProperties: { 'zookeeper.session.timeout.ms': '30000' },
    });
    doors = await Promise.all(cluster.zookeeperServers.map((server) => TcpProxy.to(server)));
    connect = `${doors.map(({ address }) => address).join(',')}/kafka`;
  });

  afterAll(async () => {
    await cluster.stop();
    await Promise.all(doors.map((door) => door[Symbol.asyncDispose]()));
  });

  const openCounts = (): number[] => doors.map(({ openCount }) => openCount);

  async function homeOf(member: LocalMember): Promise<number> {
    const [home = 0] = await serversWith(cluster, sessionOf(member));
    return home;
  }

  /** Resolves when these servers, and no others, have the members' connections. */
  async function untilAt(group: GroupUnderLoad, servers: readonly number[]): Promise<void> {
    await group.until(`members at ${servers.join(' ')}`, async () => {
      const homes = await Promise.all(group.members.map(homeOf));
      if (homes.every((home) => servers.includes(home))) return true;
      // Who loses its connection goes to another server.
      for (const home of homes) if (!servers.includes(home)) doors[home - 1]?.cut();
      return false;
    });
  }

  /** What must not change: neither session nor anything about partitions. */
  function standOf(group: GroupUnderLoad): unknown[] {
    return group.members.map((member) => ({
      session: sessionOf(member),
      rebalances: rebalancesOf(member),
      lost: member.eventsOf('session:lost').length,
      owned: member.owned,
    }));
  }

  /** Each member has one connection, and each commits and reads on; at the end nothing was lost or repeated. */
  async function wellEnded(group: GroupUnderLoad, stand: readonly unknown[]): Promise<void> {
    await group.until('a connection of each member', () =>
      group.members.every(({ connector }) => connector.state === 'running'),
    );
    await group.progress();
    for (const member of group.members) {
      await expect(member.connector.commitOffsets()).resolves.toBeUndefined();
      expect(await serversWith(cluster, sessionOf(member))).toHaveLength(1);
    }
    expect(standOf(group)).toEqual(stand);
    expect(openCounts().reduce((sum, count) => sum + count, 0)).toBe(group.members.length);
    await group.owned();
    expect(await group.end()).toEqual([]);
    // The first member had all partitions until the second one came.
    expect(disorderOf(group.readings.flatMap(({ messages }) => messages))).toEqual([]);
    await group.untilStored();
    await group.until('no connection', () => openCounts().every((count) => count === 0));
  }

  it('restarts its servers one after the other: the same sessions, no rebalance, nothing lost or repeated', async () => {
    await using group = await GroupUnderLoad.begin(cluster);
    await group.join(SESSION, connect);
    await group.join(SESSION, connect);
    await group.progress();
    const stand = standOf(group);
    const homes: (readonly number[])[] = [];
    for (const server of [1, 2, 3, 1, 2, 3]) {
      await cluster.stopZookeeper(server);
      await group.progress();
      await cluster.startZookeeper(server);
      await rolesOf(cluster);
      homes.push(
        await group.until('a connection of each member', async () => {
          const found = await Promise.all(group.members.map(homeOf));
          return !found.includes(0) && found;
        }),
      );
      await group.progress();
    }
    // Each member has lost at least one server, so it was connected more than once.
    for (const member of group.members) {
      expect(member.eventsOf('session:connected').length).toBeGreaterThan(1);
    }
    await wellEnded(group, stand);
    report(`servers of the members after each restart: ${homes.map((two) => two.join('+')).join(', ')}`);
  });

  it('loses its leader while all members are at followers: the same sessions, no rebalance, nothing lost or repeated', async () => {
    const roles = await rolesOf(cluster);
    await using group = await GroupUnderLoad.begin(cluster);
    await group.join(SESSION, connect);
    await group.join(SESSION, connect);
    await untilAt(group, roles.followers);
    await group.progress();
    const stand = standOf(group);
    const before = group.members.map((member) => member.eventsOf('session:connected').length);
    await cluster.stopZookeeper(roles.leader);
    try {
      // Followers without a leader serve nobody.
      await group.until('another connection of each member', () =>
        group.members.every(
          (member, index) => member.eventsOf('session:connected').length > (before[index] ?? 0),
        ),
      );
      await group.progress();
      for (const member of group.members) {
        await expect(member.connector.commitOffsets()).resolves.toBeUndefined();
      }
      expect(standOf(group)).toEqual(stand);
    } finally {
      await cluster.startZookeeper(roles.leader);
    }
    expect((await rolesOf(cluster)).leader).not.toBe(roles.leader);
    await wellEnded(group, stand);
  });
});

function report(text: string): void {
  process.stdout.write(`    ${text}\n`);
}
