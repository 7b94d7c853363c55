import { setTimeout as delay } from 'node:timers/promises';

import { withDeadline } from '../../spec/support/waitFor';
import {
  BROKERS,
  GROUP,
  isEven,
  KAFKA,
  PARTITIONS,
  partitionsOf,
  SESSION_TIMEOUT_MS,
  threadsOf,
  TOPIC,
  type DemoGroup,
} from './DemoGroup';
import type { Member } from './Member';
import { pictureOf } from './picture';
import { missingIn, outOfOrderIn, repeatsIn } from './received';
import { seconds, type Screen } from './Screen';

/** How many messages a member shall get in a step. */
const ENOUGH = 600;
const EXIT_LIMIT_MS = 10_000;
/** Between a crash and the look at what is still held; ZooKeeper holds it for the session's timeout. */
const AFTER_CRASH_MS = 300;

/** The story that the demo tells; each step verifies what it says. */
export async function tell(group: DemoGroup, screen: Screen): Promise<void> {
  await startCluster(group, screen);
  const a = await joinAlone(group, screen);
  const b = await joinSecond(group, screen, a);
  const partitionsOfB = await crash(group, screen, a, b);
  await drain(group, screen, a, b, partitionsOfB);
  await leave(group, screen, a);
  screen.heading('Shown:');
  screen.detail('Members of a group share the partitions of a topic, thread by thread,');
  screen.detail('through ZooKeeper alone. A member that joins takes over its share in');
  screen.detail('order: nothing is lost, nothing is repeated. A member that crashes is');
  screen.detail('replaced after its session timeout: only what it had not committed is');
  screen.detail('repeated (at least once). A member that is stopped commits, and leaves');
  screen.detail('nothing in ZooKeeper but the offsets of the group.');
}

async function startCluster(group: DemoGroup, screen: Screen): Promise<void> {
  screen.heading(`ZooKeeper and ${BROKERS} brokers of Kafka ${KAFKA}, embedded in this process`);
  const startMs = performance.now();
  await group.start();
  screen.detail(`ready after ${Math.round(performance.now() - startMs)} ms; real clients can connect:`);
  screen.detail(`zookeeper.connect is ${group.cluster.zookeeperConnect}`);
  screen.detail(`topic "${TOPIC}" has ${PARTITIONS} partitions; 0, 1, 2, ... are written to them`);
}

async function joinAlone(group: DemoGroup, screen: Screen): Promise<Member> {
  screen.heading(`1. member-a joins the group "${GROUP}" with 2 threads`);
  const a = group.startMember('member-a');
  screen.live(() => pictureOf(group.state));
  await group.shared(threadsOf(a));
  await group.until('messages for member-a', () => a.received.length >= ENOUGH);
  screen.snapshot();
  screen.verify(`2 threads own ${PARTITIONS / 2} partitions each`, isEven(group.owners(), threadsOf(a)));
  return a;
}

async function joinSecond(group: DemoGroup, screen: Screen, a: Member): Promise<Member> {
  screen.heading('2. member-b joins: the two share the partitions');
  const b = group.startMember('member-b');
  const threads = [...threadsOf(a), ...threadsOf(b)];
  await group.shared(threads);
  const before = a.received.length;
  await group.until('messages for both members', () => {
    return b.received.length >= ENOUGH && a.received.length >= before + ENOUGH;
  });
  screen.snapshot();
  screen.verify(`4 threads own ${PARTITIONS / 4} partitions each`, isEven(group.owners(), threads));
  const repeats = repeatsIn([...a.received, ...b.received]);
  screen.verify('the change of owners has repeated nothing', repeats.length === 0);
  return b;
}

/** Resolves with the partitions that member-b had. */
async function crash(group: DemoGroup, screen: Screen, a: Member, b: Member): Promise<Set<number>> {
  screen.heading('3. member-b crashes (SIGKILL): member-a takes over');
  const ofB = partitionsOf(group.owners(), threadsOf(b));
  const killMs = performance.now();
  await b.end('SIGKILL');
  await delay(AFTER_CRASH_MS);
  const heldByB = partitionsOf(group.owners(), threadsOf(b));
  screen.snapshot();
  screen.verify('right after the crash its partitions are still held', heldByB.length === ofB.length);
  const before = a.received.length;
  await group.shared(threadsOf(a));
  screen.detail(`the session's timeout is ${SESSION_TIMEOUT_MS} ms; taken over after ${seconds(killMs)}`);
  await group.until('messages of the partitions of member-b', () => {
    const seen = new Set(a.received.slice(before).map(({ partition }) => partition));
    return ofB.every((partition) => seen.has(partition));
  });
  screen.snapshot();
  const isAllOfA = isEven(group.owners(), threadsOf(a));
  screen.verify(`then the 2 threads of member-a own all ${PARTITIONS} partitions`, isAllOfA);
  return new Set(ofB);
}

async function drain(
  group: DemoGroup,
  screen: Screen,
  a: Member,
  b: Member,
  ofB: ReadonlySet<number>,
): Promise<void> {
  screen.heading('4. The producer stops: has everything arrived?');
  const { producer } = group;
  await producer.stop();
  const missing = (): number[] => missingIn([...a.received, ...b.received], producer.produced);
  await group.until('everything that was produced', () => missing().length === 0);
  const all = [...a.received, ...b.received];
  const repeats = repeatsIn(all);
  screen.detail(`produced ${producer.produced}, received ${a.received.length} + ${b.received.length}`);
  screen.verify('nothing is lost', missing().length === 0);
  screen.verify(
    `${repeats.length} messages came twice: those that member-b had not committed`,
    repeats.every(({ partition }) => ofB.has(partition)),
  );
  const isOrdered = [a, b].every(({ received }) => outOfOrderIn(received).length === 0);
  screen.verify('each member got each partition in order', isOrdered);
}

async function leave(group: DemoGroup, screen: Screen, a: Member): Promise<void> {
  screen.heading('5. member-a is stopped (SIGINT, as by Ctrl-C)');
  const startMs = performance.now();
  const code = await withDeadline(a.end('SIGINT'), EXIT_LIMIT_MS, 'end of member-a');
  screen.still();
  screen.detail(`member-a said "${a.stderr.at(-1) ?? ''}" and ended after ${seconds(startMs)}`);
  screen.verify('its exit code is 0', code === 0);
  showWhatIsLeft(group, screen);
}

function showWhatIsLeft(group: DemoGroup, screen: Screen): void {
  const root = `/consumers/${GROUP}`;
  const [, ...members] = group.cluster.znodes(`${root}/ids`).keys();
  const owners = group.owners();
  const offsets = group.offsets();
  screen.detail(`what is left in ZooKeeper, below ${root}:`);
  screen.detail(`  ids              ${members.join(' ') || '-'}`);
  screen.detail(`  owners/${TOPIC}   ${[...owners.keys()].join(' ') || '-'}`);
  screen.detail(`  offsets/${TOPIC}  ${[...offsets.values()].join(' ')}`);
  screen.verify('nobody is registered, no partition has an owner', members.length + owners.size === 0);
  const topic = group.cluster.describeTopic(TOPIC);
  screen.verify(
    `the offset of each of the ${PARTITIONS} partitions is the end of its log`,
    topic.length === PARTITIONS &&
      topic.every(({ partition, endOffset }) => offsets.get(partition) === String(endOffset)),
  );
}
