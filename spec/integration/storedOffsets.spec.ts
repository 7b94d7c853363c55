import { ConnectorError, type ConnectorConfig } from '../../lib';
import { startCluster } from '../support/cluster/startCluster';
import type { TestCluster } from '../support/cluster/TestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { LocalMember } from '../support/LocalMember';
import { Producer } from '../support/produce/Producer';
import { offsetsIn, range, readOn } from '../support/readOn';
import { waitFor } from '../support/waitFor';

jest.setTimeout(120_000);

/** 0.8.2 looks for what is too old for the first time 30 s after its start. */
const RETENTION_LIMIT_MS = 60_000;
const LIMIT_MS = 40_000;
const RETENTION_INTERVAL_MS = 200;

/** Old messages go as soon as there are more than some thousand bytes. */
const SHORT_RETENTION = {
  'segment.bytes': '2000',
  'segment.index.bytes': '4096',
  'retention.bytes': '6000',
} as const;
/** Which comes to about so many messages. */
const KEPT = 60;

/** What is stored for each partition; `first` and `next` are the ends of its log. */
const CASES = [
  { what: 'inside', text: (first: number) => String(first + 7), from: 'stored' },
  { what: 'too high', text: (_: number, next: number) => String(next + 1000), from: 'out-of-range' },
  { what: 'too low', text: () => '1', from: 'out-of-range' },
  { what: 'absent', text: () => null, from: 'none' },
  { what: '-1', text: () => '-1', from: 'none' },
  { what: 'abc', text: () => 'abc', from: 'invalid' },
  { what: '50 with a line end', text: () => '50\n', from: 'invalid' },
] as const;

const PARTITIONS = CASES.map((_, partition) => partition);
const partitionsFrom = (...froms: string[]): number[] =>
  PARTITIONS.filter((partition) => froms.includes(CASES[partition]?.from ?? ''));

describe.each([{ kafka: '0.8.2.2' }, { kafka: '3.9.1' }])(
  'a stored position on Kafka $kafka',
  ({ kafka }) => {
    let cluster: TestCluster;
    let producer: Producer;
    let zookeeper: ZookeeperAdmin;

    beforeAll(async () => {
      const brokerProperties = {
        'log.retention.check.interval.ms': String(RETENTION_INTERVAL_MS),
        'log.initial.task.delay.ms': '500', // since 3.7
      };
      cluster = await startCluster({ kafka, brokerProperties });
      producer = new Producer({ brokers: cluster.brokers });
      zookeeper = await cluster.zookeeper();
    });

    afterAll(async () => {
      producer.close();
      await zookeeper.close();
      await cluster.stop();
    });

    const pathOf = (topic: string, partition: number): string =>
      `/consumers/group-${topic}/offsets/${topic}/${partition}`;

    async function stored(topic: string, partition: number): Promise<string | null> {
      return (await zookeeper.get(pathOf(topic, partition)))?.data?.toString() ?? null;
    }

    /** A member alone in its group; nobody reads for it. */
    function memberOf(topic: string, properties: Partial<ConnectorConfig>): Promise<LocalMember> {
      const { zookeeperConnect } = cluster;
      const topics = { [topic]: 1 };
      return LocalMember.start({
        ...{ zookeeperConnect, group: `group-${topic}`, topics, properties, consume: false },
      });
    }

    /** About 100 bytes each; several sends, since a segment ends between two of them only. */
    async function produce(topic: string, partition: number, count: number): Promise<void> {
      for (let sent = 0; sent < count; sent += 5) {
        const messages = range(sent, Math.min(sent + 5, count)).map((n) => ({
          value: `${n}`.padEnd(75, '.'),
        }));
        await producer.send(topic, partition, messages);
      }
    }

    /** The ends of a partition's log, when retention has taken away what it takes and more than `above`. */
    async function settled(
      topic: string,
      partition: number,
      above = 0,
    ): Promise<{ first: number; next: number }> {
      let first = -1;
      let sinceMs = 0;
      await cluster.shortenLog(topic, partition, KEPT);
      await waitFor(
        async () => {
          const now = await producer.offset(topic, partition, 'first');
          if (now !== first) sinceMs = Date.now();
          first = now;
          return first > above && Date.now() - sinceMs > 4 * RETENTION_INTERVAL_MS;
        },
        { timeoutMs: RETENTION_LIMIT_MS, description: `retention of ${topic}/${partition} beyond ${above}` },
      );
      return { first, next: await producer.offset(topic, partition) };
    }

    it.each(['smallest', 'largest'] as const)(
      'AutoOffsetResetTest.testResetToEarliestWhenOffsetTooHigh, testResetToEarliestWhenOffsetTooLow, testResetToLatestWhenOffsetTooHigh, testResetToLatestWhenOffsetTooLow: R12: leads to exactly these messages and commits with auto.offset.reset=%s, whether it is inside, too high, too low, absent or no number',
      async (reset) => {
        const topic = `stored-${reset}`;
        await cluster.createTopic(topic, { partitions: CASES.length, config: SHORT_RETENTION });
        await Promise.all(PARTITIONS.map((partition) => produce(topic, partition, 200)));
        const logs = await Promise.all(PARTITIONS.map((partition) => settled(topic, partition)));
        const log = (partition: number): { first: number; next: number } =>
          logs[partition] ?? { first: -1, next: -1 };
        await zookeeper.mkdirp(pathOf(topic, 0).slice(0, -2));
        for (const partition of PARTITIONS) {
          const { first, next } = log(partition);
          const text = CASES[partition]?.text(first, next) ?? null;
          if (text !== null) await zookeeper.create(pathOf(topic, partition), text);
        }
        const invalid = partitionsFrom('invalid');
        const healthy = PARTITIONS.filter((partition) => !invalid.includes(partition));
        const resetTo = (partition: number): number =>
          log(partition)[reset === 'smallest' ? 'first' : 'next'];
        const expected = (partition: number): number[] => {
          const { first, next } = log(partition);
          if (invalid.includes(partition)) return [];
          return range(CASES[partition]?.from === 'stored' ? first + 7 : resetTo(partition), next);
        };

        await using member = await memberOf(topic, { 'auto.offset.reset': reset });
        const read = readOn(member);
        await waitFor(
          () =>
            member.eventsOf('offset:reset').length === 4 &&
            member.eventsOf('partition:failed').length === invalid.length &&
            healthy.every(
              (partition) => offsetsIn(read.messages, partition).length >= expected(partition).length,
            ),
          { timeoutMs: LIMIT_MS, description: 'all messages, resets and errors' },
        );
        await member.stop();
        await read.ended;
        expect(PARTITIONS.map((partition) => offsetsIn(read.messages, partition))).toEqual(
          PARTITIONS.map(expected),
        );
        const resets = member.eventsOf('offset:reset');
        expect([...resets].sort((a, b) => a.partition - b.partition)).toEqual(
          partitionsFrom('out-of-range', 'none').map((partition) => {
            const text = CASES[partition]?.text(log(partition).first, log(partition).next) ?? '-1';
            const why = CASES[partition]?.from;
            const from = why === 'none' ? null : Number(text);
            return { topic, partition, from, to: resetTo(partition), why };
          }),
        );
        // A position is committed even where nothing was read: the next start depends on no reset any more.
        const positions = await Promise.all(PARTITIONS.map((partition) => stored(topic, partition)));
        expect(positions).toEqual(
          PARTITIONS.map((partition) =>
            invalid.includes(partition) ? CASES[partition]?.text(0, 0) : String(log(partition).next),
          ),
        );
        const faults = read.errors.map(({ code, context }) => ({ code, path: context.path }));
        expect([...faults].sort((a, b) => ((a.path ?? '') < (b.path ?? '') ? -1 : 1))).toEqual(
          invalid.map((partition) => ({ code: 'OFFSET_INVALID', path: pathOf(topic, partition) })),
        );

        // The next member reads what is new, and a seek heals what is no number.
        for (const partition of PARTITIONS) await producer.send(topic, partition, [{ value: 'new' }]);
        await using second = await memberOf(topic, { 'auto.offset.reset': reset });
        const reread = readOn(second);
        await waitFor(
          () =>
            second.eventsOf('partition:failed').length === invalid.length &&
            healthy.every((partition) => offsetsIn(reread.messages, partition).length > 0),
          { timeoutMs: LIMIT_MS, description: 'the new messages' },
        );
        const [abc = -1, lineEnd = -1] = invalid;
        const before = await settled(topic, abc);
        await second.connector.seek({ topic, partition: abc, nextOffset: 'smallest' });
        await second.connector.seek({ topic, partition: lineEnd, nextOffset: log(lineEnd).next - 3 });
        await waitFor(() => invalid.every((p) => offsetsIn(reread.messages, p).at(-1) === log(p).next), {
          timeoutMs: LIMIT_MS,
          description: 'the messages behind the seeks',
        });
        await second.stop();
        await reread.ended;
        for (const partition of healthy) {
          expect(offsetsIn(reread.messages, partition)).toEqual([log(partition).next]);
        }
        expect(offsetsIn(reread.messages, abc)).toEqual(range(before.first, before.next));
        expect(offsetsIn(reread.messages, lineEnd)).toEqual(
          range(log(lineEnd).next - 3, log(lineEnd).next + 1),
        );
        expect(second.eventsOf('offset:reset')).toEqual([]);
        expect(reread.errors).toHaveLength(invalid.length);
        for (const partition of PARTITIONS) {
          await expect(stored(topic, partition)).resolves.toBe(String(log(partition).next + 1));
        }
      },
    );

    it.each(['smallest', 'largest'] as const)(
      'that retention overtakes in the middle of a run: what was fetched is still handed out, then auto.offset.reset=%s counts, and the event tells what is lost',
      async (reset) => {
        const topic = `overtaken-${reset}`;
        await cluster.createTopic(topic, { config: SHORT_RETENTION });
        await produce(topic, 0, 50);
        const properties = { 'auto.offset.reset': 'smallest', 'fetch.message.max.bytes': 800 } as const;
        // The position is there, so that the reset under test is the only one.
        await zookeeper.mkdirp(pathOf(topic, 0));
        await zookeeper.set(pathOf(topic, 0), '0');
        await using member = await memberOf(topic, { ...properties, 'auto.offset.reset': reset });
        for await (const { offset } of member.stream()) {
          expect(offset).toBe(0);
          // It stands still while everything behind what it has fetched is deleted.
          await produce(topic, 0, 200);
          await settled(topic, 0, 50);
          break; // a new loop goes on behind it
        }
        const log = await settled(topic, 0, 50);
        expect(member.eventsOf('offset:reset')).toEqual([]);
        const resets = (): number => member.eventsOf('offset:reset').length;
        const slowly: number[] = [];
        for await (const { offset } of member.stream()) {
          slowly.push(offset);
          // When it comes to the next chunk there is room for one more: the reset is known while others wait.
          const untilMs = performance.now() + 300;
          await waitFor(() => resets() > 0 || performance.now() > untilMs, {
            timeoutMs: LIMIT_MS,
            description: 'a moment',
          });
          if (resets() > 0) break;
        }
        const read = readOn(member);
        const event = await waitFor(() => member.eventsOf('offset:reset')[0], {
          timeoutMs: LIMIT_MS,
          description: 'the reset',
        });
        const { from, to } = event;
        expect(event).toEqual({ topic, partition: 0, from, to, why: 'out-of-range' });
        expect(to).toBe(reset === 'smallest' ? log.first : log.next);
        // More than what was in hand had been fetched, and nothing that was produced since then.
        expect(from).toBeGreaterThan((slowly.at(-1) ?? 0) + 2);
        expect(from).toBeLessThan(50);
        await producer.send(topic, 0, [{ value: 'new' }]);
        await waitFor(() => read.messages.at(-1)?.offset === log.next, {
          timeoutMs: LIMIT_MS,
          description: 'the last message',
        });
        await member.stop();
        await read.ended;
        expect([...slowly, ...offsetsIn(read.messages, 0)]).toEqual([
          ...range(1, from ?? 0),
          ...range(to, log.next + 1),
        ]);
        expect(read.errors).toEqual([]);
        expect(member.eventsOf('offset:reset')).toHaveLength(1);
        expect(member.eventsOf('partition:failed')).toEqual([]);
        await expect(stored(topic, 0)).resolves.toBe(String(log.next + 1));
      },
    );

    it('R12: that is invalid stays so for the partition, over rebalances too, until a seek: no other partition is touched', async () => {
      const topic = 'invalid';
      await cluster.createTopic(topic, { partitions: 2 });
      await produce(topic, 0, 5);
      await produce(topic, 1, 5);
      await zookeeper.mkdirp(pathOf(topic, 1));
      await zookeeper.set(pathOf(topic, 1), '1e3');
      await using member = await memberOf(topic, { 'auto.offset.reset': 'smallest' });
      const read = readOn(member);
      await waitFor(() => read.errors.length === 1 && offsetsIn(read.messages, 0).length === 5, {
        timeoutMs: LIMIT_MS,
        description: 'the messages of the one and the error of the other',
      });
      expect(member.owned).toEqual([`${topic}/0`, `${topic}/1`]);
      expect(member.connector.ownedPartitions().map(({ nextOffset }) => nextOffset)).toEqual([5, -1]);

      // Somebody joins who wants nothing: everything is released and claimed again.
      await using other = await LocalMember.start({
        ...{ zookeeperConnect: cluster.zookeeperConnect, group: `group-${topic}`, topics: {} },
      });
      await waitFor(() => read.errors.length === 2, { timeoutMs: LIMIT_MS, description: 'the error again' });
      expect(read.errors.every((error) => ConnectorError.is(error) && error.code === 'OFFSET_INVALID')).toBe(
        true,
      );
      expect(other.owned).toEqual([]);
      await member.connector.seek({ topic, partition: 1, nextOffset: 2 });
      await waitFor(() => offsetsIn(read.messages, 1).length === 3, {
        timeoutMs: LIMIT_MS,
        description: 'the messages behind the seek',
      });
      await member.stop();
      await read.ended;
      expect([offsetsIn(read.messages, 0), offsetsIn(read.messages, 1)]).toEqual([range(0, 5), range(2, 5)]);
      await expect(stored(topic, 1)).resolves.toBe('5');
      expect(read.errors).toHaveLength(2);
    });
  },
);
