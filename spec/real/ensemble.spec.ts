import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';

import { silentLogger } from '../../lib/logger';
import { ZookeeperSession, type SessionState } from '../../lib/zookeeper/ZookeeperSession';
import { RealCluster } from '../support/cluster/RealCluster';
import { QuorumProxies } from '../support/cluster/QuorumProxies';
import { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { addressOf, rolesOf, serversWith, type Roles } from '../support/ensemble';
import { GroupUnderLoad, sessionOf, unexplained } from '../support/GroupUnderLoad';
import { NodeSights } from '../support/NodeSights';
import { randomOf } from '../support/randomOf';
import { TcpProxy, type Direction } from '../support/TcpProxy';
import { waitFor } from '../support/waitFor';

// Real servers: they are cut from each other at the ports of their quorum, which the embedded ones do not have.
jest.setTimeout(120_000);

const CHROOT = '/kafka';
const TICK_MS = 1000;
const LIMIT = { timeoutMs: 30_000 };

/** A session at the follower, with an ephemeral node, and what the spec saw of its clock. */
interface Watched {
  readonly session: ZookeeperSession;
  readonly path: string;
  readonly states: { readonly state: SessionState; readonly atMs: number }[];
  /** The last `provedUntilMs` before the end. */
  provedUntilMs: number;
}

describe.each(['0.8.2.2', '3.9.1'])(
  'a follower that is cut from its leader, with the ZooKeeper of Kafka %s',
  (kafka) => {
    let quorum: QuorumProxies;
    let cluster: RealCluster;
    let roles: Roles;
    /** The follower that is cut off. */
    let follower: number;
    /** At the leader. */
    let admin: ZookeeperAdmin;
    const watched: Watched[] = [];

    beforeAll(async () => {
      quorum = new QuorumProxies();
      cluster = await RealCluster.start({
        ...{ kafka, zookeepers: 3, chroot: CHROOT, quorumRoute: quorum.route },
        zookeeperProperties: { tickTime: String(TICK_MS), minSessionTimeout: String(2 * TICK_MS) },
        brokerProperties: { 'zookeeper.session.timeout.ms': '30000' },
      });
      roles = await rolesOf(cluster);
      follower = roles.followers[0] ?? 0;
      admin = await ZookeeperAdmin.connect(`${addressOf(cluster, roles.leader)}${CHROOT}`);
      await admin.mkdirp('/cut');
    });

    afterAll(async () => {
      quorum.heal();
      await admin.close();
      await cluster.stop();
      await quorum[Symbol.asyncDispose]();
    });

    afterEach(async () => {
      quorum.heal();
      await Promise.all(watched.splice(0).map(({ session }) => session.close()));
      // Without another election: the servers have not given each other up.
      expect(await rolesOf(cluster)).toEqual(roles);
    });

    async function open(servers: string, sessionTimeoutMs: number): Promise<Watched> {
      const states: Watched['states'] = [];
      const session = await ZookeeperSession.open({
        ...{ servers, chroot: CHROOT, sessionTimeoutMs, connectionTimeoutMs: 10_000, logger: silentLogger },
        onWatch: () => undefined,
        onState: (state) => states.push({ state, atMs: performance.now() }),
      });
      const path = `/cut/${session.id}`;
      const one = { session, path, states, provedUntilMs: session.provedUntilMs };
      watched.push(one);
      await session.create(path, null, 'ephemeral');
      session.setProofPath(path);
      return one;
    }

    /** Resolves just behind the answer to a beat of the session. */
    async function beat({ session }: Watched): Promise<void> {
      const before = session.provedUntilMs;
      await waitFor(() => session.provedUntilMs > before, {
        ...{ ...LIMIT, description: 'an answered beat', intervalMs: 1 },
      });
    }

    function lostAtMs({ states }: Watched): number {
      return states.find(({ state }) => state === 'lost')?.atMs ?? 0;
    }

    it.each<{ trial: number; direction: Direction; how: string }>([
      { trial: 1, direction: 'both', how: 'in both directions' },
      { trial: 2, direction: 'requests', how: 'so that only the leader does not hear' },
      { trial: 3, direction: 'answers', how: 'so that only the follower does not hear' },
      { trial: 4, direction: 'both', how: 'in both directions, once more' },
    ])('$how costs each session its clock before the leader ends it ($trial)', async (what) => {
      const random = randomOf(20_250_300 + what.trial);
      const all: Watched[] = [];
      // Their beats fall everywhere between two reports of the follower. The shortest timeout that servers grant is the hardest.
      for (const timeoutMs of [2, 2, 2, 2, 3, 3].map((ticks) => ticks * TICK_MS)) {
        all.push(await open(addressOf(cluster, follower), timeoutMs));
        await delay(random() * 400);
      }
      const [first] = all;
      if (first === undefined) throw new Error('there is no session');
      await beat(first);
      await beat(first);
      quorum.silence(follower, roles.leader, what.direction);
      const cutMs = performance.now();
      const seen = all.map((one) => {
        const look = (): void => {
          if (one.session.provedUntilMs > 0) one.provedUntilMs = one.session.provedUntilMs;
        };
        return { one, sight: new NodeSights(admin, one.path, look) };
      });
      try {
        await waitFor(() => seen.every(({ sight }) => sight.absentAtMs > 0), {
          ...{ ...LIMIT, description: 'the removal of all nodes at the leader' },
        });
      } finally {
        await Promise.all(seen.map(({ sight }) => sight[Symbol.asyncDispose]()));
      }
      for (const { one, sight } of seen) {
        // The node was still seen at the leader after the own clock had run out.
        expect(one.provedUntilMs).toBeLessThan(sight.presentAtMs);
        expect(lostAtMs(one)).toBeGreaterThanOrEqual(one.provedUntilMs);
        expect(lostAtMs(one)).toBeLessThan(sight.absentAtMs);
        expect(one.session.state).toBe('lost');
      }
      report(
        `${what.direction}: clocks out ${seen.map(({ one }) => Math.round(one.provedUntilMs - cutMs)).join(' ')} ms, ` +
          `nodes gone ${seen.map(({ sight }) => Math.round(sight.absentAtMs - cutMs)).join(' ')} ms after the cut`,
      );
    });

    it('costs sessions nothing that know another server: they move there in time', async () => {
      const random = randomOf(20_250_400);
      const timeoutMs = 2 * TICK_MS;
      const [, second = 0] = roles.followers;
      await using near = await proxyTo(addressOf(cluster, follower));
      await using far = await proxyTo(addressOf(cluster, second));
      const all: Watched[] = [];
      for (let count = 0; count < 4; count += 1) {
        all.push(await open(`${near.address},${far.address}`, timeoutMs));
        await delay(random() * 400);
      }
      const areAll = (state: SessionState): boolean => all.every(({ session }) => session.state === state);
      // The order of the servers is random; whoever loses this connection tries the other server first.
      far.cut();
      await waitFor(() => near.openCount === all.length && areAll('connected'), {
        ...{ ...LIMIT, description: 'connections to the follower' },
      });
      const [first] = all;
      if (first === undefined) throw new Error('there is no session');
      await beat(first);
      await beat(first);
      const before = await Promise.all(
        all.map(async ({ session, path }) => ({ id: session.id, node: await admin.get(path) })),
      );
      for (const { states } of all) states.length = 0;
      quorum.silence(follower, roles.leader, 'both');
      const cutMs = performance.now();
      // By then the leader would have ended sessions that had stayed.
      await waitFor(() => performance.now() > cutMs + timeoutMs + 2 * TICK_MS, {
        ...{ ...LIMIT, description: 'the time in which an abandoned session ends' },
      });
      expect(all.map(({ states }) => states.map(({ state }) => state))).toEqual(
        all.map(() => ['suspended', 'connected']),
      );
      expect(all.map(({ session }) => session.isProved)).toEqual(all.map(() => true));
      const after = await Promise.all(
        all.map(async ({ session, path }) => ({ id: session.id, node: await admin.get(path) })),
      );
      expect(after).toEqual(before);
      for (const { id } of after) expect(await serversWith(cluster, id)).toEqual([second]);
      expect([near.openCount, far.openCount]).toEqual([0, all.length]);
      const moved = all.map(({ states }) => Math.round((states.at(-1)?.atMs ?? 0) - cutMs));
      report(`moved ${moved.join(' ')} ms after the cut`);
    });

    it('hands out no message through a member there once another session could claim; healed, the member comes back', async () => {
      const leader = `${addressOf(cluster, roles.leader)}${CHROOT}`;
      await using group = await GroupUnderLoad.begin(cluster, { zookeeperConnect: leader });
      const properties = {
        'zookeeper.session.timeout.ms': 3 * TICK_MS,
        'auto.commit.interval.ms': 300,
      };
      const cutOff = await group.join(properties, `${addressOf(cluster, follower)}${CHROOT}`);
      const other = await group.join(properties);
      const sessions = [cutOff, other].map(({ member }) => sessionOf(member));
      expect(await serversWith(cluster, sessions[0] ?? '')).toEqual([follower]);
      const { member, readings } = cutOff;
      await group.until('a commit', () => member.eventsOf('offsets:committed').length > 0);
      const held = new Set(member.connector.ownedPartitions().map(({ partition }) => partition));
      quorum.silence(follower, roles.leader, 'both');
      const cutMs = performance.now();
      await using sight = new NodeSights(admin, `/consumers/${group.name}/ids/${member.consumerId}`);
      await group.owned([other.member]);
      await group.progress();
      // More than enough to hand out, for whoever would do so.
      const produced = group.producedCount;
      await group.until('more messages', () => group.producedCount > produced + 200);
      const lastMs = readings.messages.at(-1)?.atMs ?? 0;
      const taken = other.readings.messages.find(
        ({ partition, atMs }) => atMs > cutMs && held.has(partition),
      );
      const takenMs = taken?.atMs ?? 0;
      // The node was still seen at the leader after the last message.
      expect(lastMs).toBeGreaterThan(cutMs);
      expect(lastMs).toBeLessThan(sight.presentAtMs);
      expect(takenMs).toBeGreaterThan(sight.presentAtMs);
      expect(member.owned).toEqual([]);
      expect(member.eventsOf('session:lost')).toHaveLength(1);
      report(
        `last message ${Math.round(lastMs - cutMs)} ms, node gone ${Math.round(sight.absentAtMs - cutMs)} ms, ` +
          `first one of the other member ${Math.round(takenMs - cutMs)} ms after the cut`,
      );

      quorum.heal();
      const healedMs = performance.now();
      await group.owned();
      await group.progress();
      expect(readings.messages.filter(({ atMs }) => atMs > lastMs && atMs < healedMs)).toEqual([]);
      expect(sessionOf(member)).not.toBe(sessions[0]);
      expect(sessionOf(other.member)).toBe(sessions[1]);
      expect(other.member.eventsOf('session:lost')).toEqual([]);
      expect(unexplained(await group.end(), member)).toEqual([]);
      await group.untilStored();
    });
  },
);

function proxyTo(address = ''): Promise<TcpProxy> {
  const [host = '', port = ''] = address.split(':');
  return TcpProxy.to({ host, port: Number(port) });
}

function report(text: string): void {
  process.stdout.write(`    ${text}\n`);
}
