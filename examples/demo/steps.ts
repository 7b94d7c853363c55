import { withDeadline } from '../../spec/support/waitFor';
import {
  BROKERS,
  GROUP,
  isEven,
  KAFKA,
  PARTITIONS,
  SESSION_TIMEOUT_MS,
  TOPIC,
  type DemoGroup,
} from './DemoGroup';
import type { Member } from './Member';
import { detail, heading, note, seconds, verify } from './print';
import { missingIn, outOfOrderIn, repeatsIn } from './received';

/** How many messages a member shall get in a step. */
const ENOUGH = 300;
const EXIT_LIMIT_MS = 10_000;

/** The story that the demo tells; each step verifies what it says. */
export async function tell(group: DemoGroup): Promise<void> {
  await startCluster(group);
  const a = await joinAlone(group);
  const b = await joinSecond(group, a);
  const partitionsOfB = await crash(group, a, b);
  await drain(group, a, b, partitionsOfB);
  await leave(group, a);
  heading('Shown:');
  detail('Members of a group share the partitions of a topic, thread by thread, through ZooKeeper alone.');
  detail('A member that joins takes over its share in order: nothing is lost, nothing is repeated.');
  detail(
    'A member that crashes is replaced after its session timeout: nothing is lost, and only what it had',
  );
  detail('not committed is repeated (at least once).');
  detail('A member that is stopped commits and leaves nothing in ZooKeeper but the offsets of the group.');
}

async function startCluster(group: DemoGroup): Promise<void> {
  heading(`Kafka ${KAFKA} with ${BROKERS} brokers and ZooKeeper`);
  note('starting (the first start on a machine downloads the jars)');
  const startMs = performance.now();
  await group.start();
  detail(`ready after ${seconds(startMs)}; zookeeper.connect is ${group.cluster.zookeeperConnect}`);
  detail(`topic "${TOPIC}" has ${PARTITIONS} partitions, and 0, 1, 2, ... are written to them all the time`);
}

async function joinAlone(group: DemoGroup): Promise<Member> {
  heading(`1. member-a joins the group "${GROUP}" with 2 threads`);
  const a = group.startMember('member-a');
  await group.shared(threadsOf(a));
  await group.until('messages for member-a', () => a.received.length >= ENOUGH);
  const owners = await group.owners();
  showThreads(owners, [a]);
  verify(`2 threads own ${PARTITIONS / 2} partitions each`, isEven(owners, threadsOf(a)));
  return a;
}

async function joinSecond(group: DemoGroup, a: Member): Promise<Member> {
  heading('2. member-b joins: the two share the partitions');
  const b = group.startMember('member-b');
  const threads = [...threadsOf(a), ...threadsOf(b)];
  await group.shared(threads);
  const before = a.received.length;
  await group.until('messages for both members', () => {
    return b.received.length >= ENOUGH && a.received.length >= before + ENOUGH;
  });
  const owners = await group.owners();
  showThreads(owners, [a, b]);
  verify(`4 threads own ${PARTITIONS / 4} partitions each`, isEven(owners, threads));
  verify('the change of owners has repeated nothing', repeatsIn([...a.received, ...b.received]).length === 0);
  return b;
}

/** Resolves with the partitions that member-b had. */
async function crash(group: DemoGroup, a: Member, b: Member): Promise<Set<number>> {
  heading('3. member-b crashes (SIGKILL): member-a takes over');
  const ofB = partitionsOf(b, await group.owners());
  const killMs = performance.now();
  await b.end('SIGKILL');
  const heldByB = partitionsOf(b, await group.owners());
  const before = a.received.length;
  await group.shared(threadsOf(a));
  const takenAfter = seconds(killMs);
  await group.until('messages of the partitions of member-b', () => {
    const seen = new Set(a.received.slice(before).map(({ partition }) => partition));
    return [...ofB].every((partition) => seen.has(partition));
  });
  const owners = await group.owners();
  detail(`zookeeper.session.timeout.ms is ${SESSION_TIMEOUT_MS}; taken over after ${takenAfter}`);
  showThreads(owners, [a]);
  verify('right after the crash the partitions were still held', heldByB.size === ofB.size);
  verify(`then the 2 threads of member-a own all ${PARTITIONS} partitions`, isEven(owners, threadsOf(a)));
  return ofB;
}

async function drain(group: DemoGroup, a: Member, b: Member, ofB: ReadonlySet<number>): Promise<void> {
  heading('4. The producer stops: has everything arrived?');
  const { producer } = group;
  await producer.stop();
  const missing = (): number[] => missingIn([...a.received, ...b.received], producer.produced);
  await group.until('everything that was produced', () => missing().length === 0);
  const all = [...a.received, ...b.received];
  const repeats = repeatsIn(all);
  detail(`produced ${producer.produced}, received ${a.received.length} + ${b.received.length}`);
  verify('nothing is lost', missing().length === 0);
  verify(
    `${repeats.length} messages came twice, all from the partitions of member-b: it had not committed them`,
    repeats.every(({ partition }) => ofB.has(partition)),
  );
  const isOrdered = [a, b].every(({ received }) => outOfOrderIn(received).length === 0);
  verify('each member got each partition in order', isOrdered);
}

async function leave(group: DemoGroup, a: Member): Promise<void> {
  heading('5. member-a is stopped (SIGINT, as by Ctrl-C)');
  const startMs = performance.now();
  const code = await withDeadline(a.end('SIGINT'), EXIT_LIMIT_MS, 'end of member-a');
  detail(`member-a said "${a.stderr.at(-1) ?? ''}" and ended after ${seconds(startMs)}`);
  verify('its exit code is 0', code === 0);
  await showWhatIsLeft(group);
}

async function showWhatIsLeft({ zookeeper, producer }: DemoGroup): Promise<void> {
  const root = `/consumers/${GROUP}`;
  const below = async (path: string): Promise<[string, string][]> => {
    const [, ...nodes] = await zookeeper.tree(path);
    return nodes.map(([at, data]) => [at.slice(path.length + 1), data]);
  };
  const members = await below(`${root}/ids`);
  const owned = await below(`${root}/owners/${TOPIC}`);
  const offsets = (await below(`${root}/offsets/${TOPIC}`)).sort(([p], [q]) => Number(p) - Number(q));
  detail('what is left in ZooKeeper:');
  const show = (nodes: [string, string][]): string => {
    return nodes.map(([name, data]) => `${name}=${data}`).join(' ') || '-';
  };
  detail(`  ${root}/ids              ${show(members)}`);
  detail(`  ${root}/owners/${TOPIC}   ${show(owned)}`);
  detail(`  ${root}/offsets/${TOPIC}  ${show(offsets)}`);
  verify('nobody is registered, no partition has an owner', members.length + owned.length === 0);
  const ends = await Promise.all(offsets.map(([partition]) => producer.end(TOPIC, Number(partition))));
  verify(
    `the offset of each of the ${PARTITIONS} partitions is the end of its log`,
    offsets.length === PARTITIONS && offsets.every(([, offset], index) => offset === String(ends[index])),
  );
}

function threadsOf({ name }: Member): string[] {
  return [0, 1].map((thread) => `${GROUP}_${name}-${thread}`);
}

function partitionsOf(member: Member, owners: ReadonlyMap<number, string>): Set<number> {
  const threads = threadsOf(member);
  return new Set([...owners].flatMap(([partition, owner]) => (threads.includes(owner) ? [partition] : [])));
}

function showThreads(owners: ReadonlyMap<number, string>, members: readonly Member[]): void {
  for (const member of members) {
    for (const thread of threadsOf(member)) {
      const partitions = [...owners].flatMap(([partition, owner]) => (owner === thread ? [partition] : []));
      const count = member.received.filter(({ threadId }) => threadId === thread).length;
      detail(
        `${thread}  owns ${partitions.join(' ').padEnd(16)}  ${String(count).padStart(5)} messages so far`,
      );
    }
  }
}
