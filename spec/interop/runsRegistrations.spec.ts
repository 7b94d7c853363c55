import { RealCluster } from '../support/cluster/RealCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { JvmMember } from '../support/jvm/JvmMember';
import { LocalMember } from '../support/LocalMember';
import { ownersOf } from '../support/ownership';
import { waitFor } from '../support/waitFor';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const LIMIT_MS = 60_000;
const TOPIC = 'dotted.name';
const RELEASES = ['0.8.2.2', '0.10.2.2', '1.1.1'] as const;
const ALL = [...RELEASES, 'ours'] as const;
type Reader = (typeof ALL)[number];

const registration = (fields: object): string =>
  JSON.stringify({ version: 1, subscription: { [TOPIC]: 1 }, pattern: 'static', timestamp: '1', ...fields });

/** A registration of another member, and who can read it; the others fail. */
interface Row {
  readonly what: string;
  readonly text: string | null;
  readonly readers: readonly Reader[];
  /** What ours still owns if it cannot read it; default: what it had. */
  readonly kept?: 'what it had' | 'nothing';
}

const ROWS: readonly Row[] = [
  { what: 'as members write it', text: registration({}), readers: ALL },
  {
    what: 'with more fields, of any type',
    text: registration({ a: null, b: [1, { c: 'd' }], e: true, f: 1, g: 'h' }),
    readers: ALL,
  },
  {
    what: 'with a fraction in one more field',
    text: registration({ a: 1.5 }),
    readers: ['1.1.1', 'ours'], // the JSON reader of older ones takes each number for an integer
  },
  { what: 'without a version', text: registration({ version: undefined }), readers: ALL },
  { what: 'of version 2', text: registration({ version: 2 }), readers: ALL },
  { what: 'without a timestamp', text: registration({ timestamp: undefined }), readers: ALL },
  {
    what: 'with white space',
    text: ` {\n"version" : 1 , "subscription" : { "${TOPIC}" : 1 } ,\t"pattern" : "static" }\n`,
    readers: ALL,
  },
  {
    what: 'with an escaped dot',
    text: '{"version":1,"subscription":{"dotted\\u002ename":1},"pattern":"static","timestamp":"1"}',
    readers: ALL,
  },
  { what: 'with an unknown pattern', text: registration({ pattern: 'of the future' }), readers: ALL },
  {
    what: 'with a white list that has the topic',
    text: registration({ pattern: 'white_list', subscription: { 'dotted.*': 1 } }),
    readers: ALL,
  },
  {
    what: 'with a number as timestamp',
    text: registration({ timestamp: 1795991641755 }),
    readers: ['1.1.1', 'ours'], // and for one of 32 bits
  },
  {
    what: 'with the count 1.0',
    text: `{"version":1,"subscription":{"${TOPIC}":1.0},"pattern":"static","timestamp":"1"}`,
    readers: ['ours'], // the same number in JSON
  },
  { what: 'with the count "1"', text: registration({ subscription: { [TOPIC]: '1' } }), readers: [] },
  { what: 'with the count 0', text: registration({ subscription: { [TOPIC]: 0 } }), readers: [] },
  { what: 'without a pattern', text: registration({ pattern: undefined }), readers: [] },
  {
    what: 'with a white list that is no regex',
    text: registration({ pattern: 'white_list', subscription: { 'a[': 1 } }),
    readers: [],
    kept: 'nothing', // others might evaluate it
  },
  { what: 'that is no JSON', text: '{"version":1,"subscr', readers: [] },
  { what: 'with empty data', text: '', readers: [] },
  { what: 'without data', text: null, readers: [] },
];

describe('a registration of another member', () => {
  let cluster: RealCluster;
  let zookeeper: ZookeeperAdmin;
  /** Each is alone in a group of its own. */
  const jvms = new Map<Reader, JvmMember>();
  let ours: LocalMember;

  const groupOf = (reader: Reader): string => `group-${reader}`;
  const pathOf = (reader: Reader): string => `/consumers/${groupOf(reader)}/ids/${groupOf(reader)}_zz`;

  beforeAll(async () => {
    cluster = await RealCluster.start({ kafka: '1.1.1' });
    zookeeper = await cluster.zookeeper();
    await cluster.createTopic(TOPIC, { partitions: 4 });
    const optionsOf = (reader: Reader) => ({
      ...{ zookeeperConnect: cluster.zookeeperConnect, group: groupOf(reader), topics: { [TOPIC]: 1 } },
      properties: {
        'consumer.id': 'aa',
        'rebalance.max.retries': '1',
        'rebalance.backoff.ms': '100',
      } as const,
    });
    for (const release of RELEASES) {
      jvms.set(release, await JvmMember.start({ ...optionsOf(release), release }));
    }
    ours = await LocalMember.start(optionsOf('ours'));
    await untilAll('all partitions', (reader) => owns(reader, 4));
  });

  afterAll(async () => {
    await ours.stop();
    for (const jvm of jvms.values()) await jvm[Symbol.asyncDispose]();
    await zookeeper.close();
    await cluster.stop();
  });

  async function untilAll(what: string, condition: (reader: Reader) => boolean | Promise<boolean>) {
    await Promise.all(
      ALL.map((reader) =>
        waitFor(() => condition(reader), {
          ...{ timeoutMs: LIMIT_MS, description: `${what} with ${reader}` },
          details: () => jvms.get(reader)?.log ?? JSON.stringify(ours.events.slice(-6)),
        }),
      ),
    );
  }

  /** Whether the member under test has the first so many partitions, and nobody the others. */
  async function owns(reader: Reader, count: number): Promise<boolean> {
    const owners = await ownersOf(zookeeper, groupOf(reader), [TOPIC]);
    const mine = [...owners].filter(([, thread]) => thread === `${groupOf(reader)}_aa-0`);
    return owners.size === count && mine.every(([partition], n) => partition === `${TOPIC}/${n}`);
  }

  /** Another value each time that a rebalance has failed for good. */
  function failureOf(reader: Reader): unknown {
    const jvm = jvms.get(reader);
    if (jvm === undefined) return ours.eventsOf('rebalance:failed').at(-1);
    return jvm.log.split('\n').findLast((line) => line.includes('error during syncedRebalance'));
  }

  it.each(ROWS.map((row) => ({ ...row, kept: row.kept ?? 'what it had' })))(
    'R15: $what is read by $readers, and by no other; who cannot read it owns nothing in the JVM, and $kept with ours',
    async ({ text, readers, kept }) => {
      const before = new Map(ALL.map((reader) => [reader, failureOf(reader)]));
      /** The last line of a log may have scrolled away. */
      const hasFailed = (reader: Reader): boolean =>
        failureOf(reader) !== undefined && failureOf(reader) !== before.get(reader);
      for (const reader of ALL) await zookeeper.create(pathOf(reader), text);
      try {
        await untilAll('the outcome', async (reader) => {
          if (readers.includes(reader)) return owns(reader, 2);
          return hasFailed(reader) && owns(reader, reader === 'ours' && kept === 'what it had' ? 4 : 0);
        });
        // Whoever could read it had no failure on the way, and ours names what it could not read.
        const failed = ALL.filter(hasFailed);
        expect(failed).toEqual(ALL.filter((reader) => !readers.includes(reader)));
        const named = ours.eventsOf('rebalance:failed').map(({ error }) => [error.code, error.context.path]);
        expect(named).toEqual(named.map(() => ['REGISTRATION_INVALID', pathOf('ours')]));
      } finally {
        for (const reader of ALL) await zookeeper.remove(pathOf(reader));
      }
      await untilAll('all partitions', (reader) => owns(reader, 4));
    },
  );
});
