import type { Assignment, TopicToAssign } from '../../lib/assignment/assignment';
import { GroupWants } from '../../lib/assignment/GroupWants';
import { rangeAssign } from '../../lib/assignment/rangeAssignor';
import {
  refusedByOldMembers,
  roundRobinAssign,
  type RoundRobinTextOrder,
} from '../../lib/assignment/roundRobinAssignor';
import { GroupPaths } from '../../lib/zookeeper/paths';
import { decodeRegistration, encodeRegistration, type Subscription } from '../../lib/zookeeper/registration';
import { EmbeddedTestCluster } from '../support/cluster/EmbeddedTestCluster';
import type { ZookeeperAdmin } from '../support/cluster/ZookeeperAdmin';
import { AssignorOracle, type JvmAssignment } from '../support/jvm/AssignorOracle';
import { Draw } from '../support/Draw';
import { report } from '../support/report';

// The first run on a machine resolves the jars.
jest.setTimeout(180_000);

const GROUPS = 200;
const SEED = 20_150_809;

/** Number of partitions. No two texts of their partitions have the same hash: for that see the vectors. */
const TOPICS: Readonly<Record<string, number>> = {
  ...{ a: 5, 'b.x': 4, 'c-y': 3, d_z: 2, e: 1, t12: 12, wide: 31, Many: 60, '7': 8, 'orders.eu-1': 9 },
  ...{ __consumer_offsets: 6, __transaction_state: 5 },
};

/** Subscribed to, but not there. */
const MISSING = 'missing';
const FILTERS = ['.*', '[a-d].*', 'a|e|t12', 'a,b.x', 'orders.*', '"wide|Many"', 't[0-9]+', '_.*', 'nothing'];

interface Release {
  readonly release: string;
  readonly order: RoundRobinTextOrder;
  /** The topics that it knows as internal, which no filter matches. */
  readonly internal: readonly string[];
}

const RELEASES: readonly Release[] = [
  { release: '0.8.2.2', order: '0.8', internal: ['__consumer_offsets'] },
  { release: '0.10.2.2', order: '0.8', internal: ['__consumer_offsets'] },
  { release: '1.1.1', order: '1.0', internal: ['__consumer_offsets', '__transaction_state'] },
];

interface Group {
  readonly name: string;
  readonly members: ReadonlyMap<string, Subscription>;
}

/** Half of the groups have members that all want the same, which old members demand of roundrobin. */
function drawGroup(draw: Draw, name: string): Group {
  const common = draw.number(2) === 0 ? drawSubscription(draw) : null;
  const members = new Map<string, Subscription>();
  for (let count = 1 + draw.number(5); count > 0; count--) {
    const id = `${name}_${draw.one(['c', 'C', 'c-', 'c.', 'host-1'])}${draw.number(30)}`;
    members.set(id, common === null ? drawSubscription(draw) : withStreams(common, 1 + draw.number(4)));
  }
  return { name, members };
}

function drawSubscription(draw: Draw): Subscription {
  const pattern = draw.one(['static', 'static', 'white_list', 'black_list'] as const);
  if (pattern !== 'static') {
    return { pattern, subscription: new Map([[draw.one(FILTERS), 1 + draw.number(4)]]) };
  }
  const subscription = new Map<string, number>();
  const names = [...Object.keys(TOPICS), MISSING];
  for (let count = draw.number(7); count > 0; count--) {
    // Mostly few, and now and then so many that the order of their numbers is not that of their texts.
    subscription.set(draw.one(names), 1 + draw.number(draw.number(8) === 0 ? 13 : 3));
  }
  return { pattern, subscription };
}

function withStreams({ pattern, subscription }: Subscription, streams: number): Subscription {
  return { pattern, subscription: new Map(Array.from(subscription.keys(), (topic) => [topic, streams])) };
}

async function writeTopics(zookeeper: ZookeeperAdmin): Promise<void> {
  await zookeeper.mkdirp('/brokers/topics');
  for (const [topic, size] of Object.entries(TOPICS)) {
    const partitions = Object.fromEntries(Array.from({ length: size }, (_, p) => [p, [1]]));
    await zookeeper.create(`/brokers/topics/${topic}`, JSON.stringify({ version: 1, partitions }));
  }
}

async function writeGroup(zookeeper: ZookeeperAdmin, { name, members }: Group): Promise<void> {
  const paths = new GroupPaths(name);
  await zookeeper.mkdirp(paths.ids);
  for (const [id, subscription] of members) {
    await zookeeper.create(
      paths.id(id),
      encodeRegistration({ ...subscription, timestampMs: 1_439_078_400_000 }),
    );
  }
}

/** What the connector works on: all that is in ZooKeeper. */
async function inputOf({ name, members }: Group, internal: readonly string[]): Promise<TopicToAssign[]> {
  const paths = new GroupPaths(name);
  const registrations = Array.from(members, ([id, subscription]) => {
    const data = encodeRegistration({ ...subscription, timestampMs: 0 });
    return [id, decodeRegistration(data, paths.id(id))] as const;
  });
  const wants = new GroupWants(new Map(registrations), internal, new AbortController().signal);
  const topics = [...(await wants.topics(Object.keys(TOPICS)))];
  return wants.assignmentInput(
    new Map(topics.map((topic) => [topic, Array.from({ length: TOPICS[topic] ?? 0 }, (_, p) => p)])),
  );
}

function ownersOf(assignment: Assignment): Record<string, string> {
  const owners = [...assignment].flatMap(([topic, ofTopic]) =>
    Array.from(ofTopic, ([partition, thread]) => [`${topic}/${partition}`, thread]),
  );
  return Object.fromEntries(owners.sort()) as Record<string, string>;
}

/** For a failure: who wants what. */
function textOf({ name, members }: Group): string {
  const wants = Array.from(members, ([id, { pattern, subscription }]) => [id, pattern, ...subscription]);
  return `${name}: ${JSON.stringify(wants)}`;
}

/** How 0.8.2 fails on a group that it refuses. */
const REFUSAL = /IllegalArgumentException|NullPointerException/;

function shown(assignment: JvmAssignment): unknown {
  if (!('refused' in assignment)) return Object.fromEntries(assignment);
  return REFUSAL.test(assignment.refused) ? 'refused' : assignment.refused;
}

describe('Groups of all kinds', () => {
  const draw = new Draw(SEED);
  const groups = Array.from({ length: GROUPS }, (_, index) => drawGroup(draw, `g${index}`));
  let cluster: EmbeddedTestCluster;

  beforeAll(async () => {
    cluster = await EmbeddedTestCluster.start({ kafka: '0.8.2.2', brokers: 0 });
    await using zookeeper = await cluster.zookeeper();
    await writeTopics(zookeeper);
    await Promise.all(groups.map((group) => writeGroup(zookeeper, group)));
  });

  afterAll(() => cluster.stop());

  it.each(RELEASES)(
    'R15: are assigned by both strategies as by the classes of release $release',
    async ({ release, order, internal }) => {
      await using oracle = await AssignorOracle.start(release, cluster.zookeeperConnect);
      const counts = { partitions: 0, refused: 0 };
      for (const group of groups) {
        const topics = await inputOf(group, internal);
        const isRefused = release === '0.8.2.2' && refusedByOldMembers(topics) !== null;
        const range = ownersOf(rangeAssign(topics));
        const roundrobin = isRefused ? 'refused' : ownersOf(roundRobinAssign(topics, order));
        const made = await oracle.assign(group.name, [...group.members.keys()]);
        const theirs = { range: shown(made.range), roundrobin: shown(made.roundrobin) };
        expect({ group: textOf(group), ...theirs }).toEqual({ group: textOf(group), range, roundrobin });
        counts.partitions += Object.keys(range).length + (isRefused ? 0 : Object.keys(roundrobin).length);
        counts.refused += isRefused ? 1 : 0;
      }
      expect(counts.partitions).toBeGreaterThan(GROUPS * 10);
      expect(counts.refused > 0).toBe(release === '0.8.2.2');
      report(
        `${release}: ${GROUPS} groups, ${counts.partitions} partitions assigned alike; ` +
          `roundrobin refused ${counts.refused} groups, as foretold`,
      );
    },
  );
});
