import { shownValue } from '../config/shownValue';
import { ArgumentFaults } from './argumentFaults';
import { BrokerProperties } from './kafka/BrokerProperties';
import { GENERATIONS, type Generation } from './kafka/Generation';
import { checkTopicName, checkTopicOptions } from './topicArguments';

/** Milliseconds, as they come from options that are right. */
interface ZookeeperTimes {
  readonly tickTimeMs: number;
  readonly minSessionTimeoutMs: number;
  readonly maxSessionTimeoutMs: number;
}

const OPTIONS = [
  ...(['kafka', 'brokers', 'zookeepers', 'chroot', 'topics'] as const),
  ...(['brokerProperties', 'zookeeperProperties', 'seed'] as const),
];
const RIGHT = "an object such as { kafka: '3.9', brokers: 3, topics: { orders: 4 } }";
const TIMES = ['tickTime', 'minSessionTimeout', 'maxSessionTimeout'] as const;
const RIGHT_PROPERTIES = "an object such as { 'num.partitions': '4' }";
const MOST_SERVERS = 100;
const MOST_SEED = 0xffff_ffff;
const MOST_MS = 0x7fff_ffff;

/** @throws TypeError with all that is wrong with the options of a cluster */
export function refuseWrongOptions(given: unknown): void {
  const faults = new ArgumentFaults('EmbeddedCluster.start');
  const options = faults.fields('options', given, OPTIONS, RIGHT);
  if (options !== null) {
    const { kafka = '3.9', brokers = 1, zookeepers = 1, chroot = '', seed = 1 } = options;
    const { topics = {}, brokerProperties = {}, zookeeperProperties = {} } = options;
    faults
      .oneOf('kafka', kafka, GENERATIONS)
      .wholeNumber('brokers', brokers, 0, MOST_SERVERS)
      .wholeNumber('zookeepers', zookeepers, 1, MOST_SERVERS)
      .check(isChroot(chroot), 'chroot', `'' or a path such as "/kafka"`, chroot)
      .wholeNumber('seed', seed, 0, MOST_SEED);
    // Topics are looked at even if it is not known for which cluster.
    const generation = GENERATIONS.find((one) => one === kafka) ?? '3.9';
    checkTopics(faults, topics, generation, typeof brokers === 'number' ? brokers : MOST_SERVERS);
    if (typeof brokerProperties !== 'function') {
      checkBrokerProperties(faults, 'brokerProperties', brokerProperties, generation);
    }
    checkTimes(faults, zookeeperProperties);
  }
  faults.refuse();
}

function checkTopics(faults: ArgumentFaults, given: unknown, kafka: Generation, brokers: number): void {
  const topics =
    faults.entries('topics', given, 'an object such as { orders: 4, payments: { partitions: 2 } }') ?? [];
  for (const [name, topic] of topics) {
    if (!checkTopicName(faults, name, kafka)) continue;
    const options = typeof topic === 'number' ? { partitions: topic } : topic;
    checkTopicOptions(faults, options, { kafka, brokers }, `topics.${name}.`);
  }
}

/** Adds what is wrong with lines of server.properties that are known before the broker starts. */
export function checkBrokerProperties(
  faults: ArgumentFaults,
  name: string,
  given: unknown,
  kafka: Generation,
): void {
  if (!areBrokerProperties(faults, name, given)) return;
  try {
    new BrokerProperties(kafka, given);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    faults.add(`${name}: ${error.message}`);
  }
}

/** Only whether they are texts; their names and values are for the broker to judge. */
export function areBrokerProperties(
  faults: ArgumentFaults,
  name: string,
  given: unknown,
): given is Readonly<Record<string, string>> {
  const entries = faults.entries(name, given, RIGHT_PROPERTIES);
  for (const [property, value] of entries ?? []) faults.text(`${name}[${JSON.stringify(property)}]`, value);
  return entries?.every(([, value]) => typeof value === 'string') === true;
}

function isChroot(given: unknown): boolean {
  return typeof given === 'string' && /^(\/|(\/[^/\s,]+)*)$/.test(given);
}

function checkTimes(faults: ArgumentFaults, given: unknown): void {
  const times = faults.fields('zookeeperProperties', given, TIMES, 'an object such as { tickTime: 100 }');
  if (times === null) return;
  const wrong = TIMES.filter((name) => times[name] !== undefined && !isTime(times[name]));
  for (const name of wrong) {
    const right = `a whole number from 1 to ${MOST_MS} (milliseconds)`;
    faults.check(false, `zookeeperProperties.${name}`, right, times[name]);
  }
  if (wrong.length > 0) return;
  const { minSessionTimeoutMs, maxSessionTimeoutMs } = zookeeperTimes(times);
  if (minSessionTimeoutMs <= maxSessionTimeoutMs) return;
  const right = `minSessionTimeout (${minSessionTimeoutMs}) or more`;
  faults.add(
    `zookeeperProperties.maxSessionTimeout must be ${right}, not ${shownValue(maxSessionTimeoutMs)}`,
  );
}

/** Numbers and texts of digits, which is what zoo.cfg has. */
function isTime(given: unknown): given is number | string {
  const isText = typeof given === 'string' && /^\d+$/.test(given);
  const ms = isText || typeof given === 'number' ? Number(given) : NaN;
  return Number.isInteger(ms) && ms >= 1 && ms <= MOST_MS;
}

/** With the defaults: 100 ms a tick, two ticks for the shortest session, 40 s for the longest one, but no less than that. */
export function zookeeperTimes(
  given: Readonly<Partial<Record<(typeof TIMES)[number], unknown>>> = {},
): ZookeeperTimes {
  const { tickTime = 100, minSessionTimeout, maxSessionTimeout } = given;
  const tickTimeMs = Number(tickTime);
  const minSessionTimeoutMs = Number(minSessionTimeout ?? 2 * tickTimeMs);
  return {
    tickTimeMs,
    minSessionTimeoutMs,
    maxSessionTimeoutMs: Number(maxSessionTimeout ?? Math.max(40_000, minSessionTimeoutMs)),
  };
}
