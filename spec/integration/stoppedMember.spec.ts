import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { compareDeliveries } from '../support/deliveries';
import { LocalMember } from '../support/LocalMember';
import { asText, ownersOf, rangeOf } from '../support/ownership';
import { PartitionLoads } from '../support/produce/PartitionLoads';
import { StandstillMember } from '../support/StandstillMember';
import type { StandstillLine, StandstillPlace } from '../support/standstillProcess';
import { waitFor } from '../support/waitFor';

jest.setTimeout(60_000);

const SESSION_TIMEOUT_MS = 2000;
const PARTITIONS = [0, 1, 2, 3];
const PLACES: readonly StandstillPlace[] = ['in the loop body', 'between two turns'];

let made = 0;

describe.each(['0.8.2.2', '3.9.1'])(
  'a process that stands still, with three servers and Kafka %s',
  (kafka) => {
    let cluster: TestCluster;
    let zookeeper: ZookeeperAdmin;

    beforeAll(async () => {
      cluster = await startCluster({ kafka, zookeepers: 3 });
      zookeeper = await cluster.zookeeper();
    });

    afterAll(async () => {
      await zookeeper.close();
      await cluster.stop();
    });

    it.each(PLACES)(
      'R7: for longer than its session, %s, hands out not one message before it has claimed anew, and repeats nothing that others have got',
      async (place) => {
        const name = `still-${(made += 1)}`;
        await cluster.createTopic(name, { partitions: PARTITIONS.length });
        const properties = {
          'zookeeper.session.timeout.ms': SESSION_TIMEOUT_MS,
          'auto.commit.interval.ms': 300,
        };
        const { zookeeperConnect } = cluster;
        await using other = await LocalMember.start({
          ...{ zookeeperConnect, group: name, topics: { [name]: 1 } },
          properties: { 'consumer.id': 'a', ...properties },
        });
        await using still = new StandstillMember({
          config: {
            ...properties,
            'zookeeper.connect': zookeeperConnect,
            'group.id': name,
            'consumer.id': 'b',
            'auto.offset.reset': 'smallest',
          },
          topic: name,
          // Slower than the load, so that it has messages ready when it stops.
          workMs: 8,
        });
        const until = <T>(
          description: string,
          condition: () => T | Promise<T>,
        ): ReturnType<typeof waitFor<T>> =>
          waitFor(condition, { timeoutMs: 30_000, description, details: () => still.log });
        const untilOwnedBy = (...members: readonly { consumerId: string }[]): Promise<unknown> => {
          const threads = members.map(({ consumerId }) => `${consumerId}-0`);
          const wanted = asText(rangeOf(name, PARTITIONS.length, threads));
          return until(
            `owners ${wanted}`,
            async () => asText(await ownersOf(zookeeper, name, [name])) === wanted,
          );
        };
        await untilOwnedBy(other, still);
        await using load = new PartitionLoads(cluster, name, PARTITIONS);
        const behind = (): number =>
          load.countOf([2, 3]) - still.messagesFrom().filter(({ partition }) => partition >= 2).length;
        await until(
          'a commit, and messages ahead',
          () => committedBy(still.lines).size === 2 && behind() > 50,
        );

        const stillAt = await still.standStill(place);
        const before = still.messagesFrom();
        const committed = committedBy(still.lines);
        const waiting = behind();
        await untilOwnedBy(other);
        const had = other.messages.length;
        await until('messages that it would have got', () =>
          [2, 3].every((wanted) => other.messages.slice(had).some(({ partition }) => partition === wanted)),
        );
        expect(still.lines).toHaveLength(stillAt);
        const takenOver = keysOf(other.messages.filter(({ partition }) => partition >= 2));
        still.goOn();

        await untilOwnedBy(other, still);
        await until('messages of the new session', () =>
          [2, 3].every((wanted) => still.messagesFrom(stillAt).some(({ partition }) => partition === wanted)),
        );
        const after = still.lines.slice(stillAt);
        const lost = indexOf(after, 'session:lost');
        const connected = indexOf(after, 'session:connected');
        const claimed = after.findIndex((line, index) => index > connected && isClaim(line));
        expect(lost).toBeGreaterThanOrEqual(0);
        expect(connected).toBeGreaterThan(lost);
        expect(claimed).toBeGreaterThan(connected);
        // The order of the lines is that in which it happened there.
        expect(after.findIndex(({ line }) => line === 'message')).toBeGreaterThan(claimed);

        const produced = await load.stop();
        const receivers = [other, { consumerId: still.consumerId, messages: still.messagesFrom() }];
        await until('everything', () => {
          receivers[1] = { consumerId: still.consumerId, messages: still.messagesFrom() };
          return compareDeliveries(produced, receivers).missing.length === 0;
        });
        await still.stop();
        await other.stop();
        receivers[1] = { consumerId: still.consumerId, messages: still.messagesFrom() };
        const { missing, repeated } = compareDeliveries(produced, receivers);
        expect(missing).toEqual([]);
        expect(other.errors).toEqual([]);
        // Nothing that the other one got meanwhile comes again.
        expect(keysOf(still.messagesFrom(stillAt)).filter((key) => takenOver.includes(key))).toEqual([]);
        // What was repeated it had got before it stopped, and not stored; and the other one got it once.
        const readBefore = keysOf(before);
        const unexplained = repeated.filter(
          ({ partition, offset, by }) =>
            [...by].sort().join() !== [other, still].map(({ consumerId }) => consumerId).join() ||
            !readBefore.includes(`${partition}@${offset}`) ||
            offset < (committed.get(partition) ?? 0),
        );
        expect(unexplained).toEqual([]);
        report(
          `${waiting} messages ahead when it stopped, ${repeated.length} of ${produced.length} repeated`,
        );
      },
    );
  },
);

function keysOf(messages: readonly { readonly partition: number; readonly offset: number }[]): string[] {
  return messages.map(({ partition, offset }) => `${partition}@${offset}`);
}

function indexOf(lines: readonly StandstillLine[], event: string): number {
  return lines.findIndex((line) => line.line === 'event' && line.event === event);
}

function isClaim(line: StandstillLine): boolean {
  return line.line === 'event' && line.event === 'rebalance:finished';
}

/** The position of each partition that was stored last. */
function committedBy(lines: readonly StandstillLine[]): Map<number, number> {
  const stored = new Map<number, number>();
  for (const line of lines) {
    if (line.line !== 'event' || line.event !== 'offsets:committed' || !('offsets' in line.payload)) continue;
    for (const { partition, nextOffset } of line.payload.offsets) stored.set(partition, nextOffset);
  }
  return stored;
}

function report(text: string): void {
  process.stdout.write(`    ${text}\n`);
}
