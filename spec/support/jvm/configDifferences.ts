import { CONFIG_TABLE } from '../../../lib/config/configTable';
import { javaTrim } from '../../../lib/javaTrim';
import type { SharedName } from './configGetters';
import { FOREIGN_DIGIT, SERVERS, type Properties } from './configInputs';

/** Those whose ConsumerConfig is compared. */
export const CONFIG_RELEASES = ['0.8.2.2', '0.10.2.2', '1.1.1'] as const;
export type ConfigRelease = (typeof CONFIG_RELEASES)[number];

export type DifferenceKind = 'ours refuses' | 'the JVM refuses' | 'another value';

/** A difference on purpose: where it is met, and why. */
export interface KnownDifference {
  readonly kind: DifferenceKind;
  readonly why: string;
  readonly where: (given: Properties, release: ConfigRelease) => boolean;
}

const number = (given: Properties, name: SharedName, ifMissing: number): number =>
  Number(given[name] ?? ifMissing);

/** Whether one of the numbers is below the least one that ours takes. */
function hasTooSmallNumber(given: Properties): boolean {
  return Object.entries(CONFIG_TABLE).some(
    ([name, setting]) => setting.type === 'int' && Number(given[name] ?? setting.min) < setting.min,
  );
}

function hasBlanksAround(given: Properties): boolean {
  return Object.values(given).some((value) => value !== javaTrim(value));
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    kind: 'ours refuses',
    why: 'The JVM takes every int and fails later, or goes in circles: 0 fetchers are a division by zero.',
    where: hasTooSmallNumber,
  },
  {
    kind: 'ours refuses',
    why: 'Java takes the digits of other scripts.',
    where: (given) => Object.values(given).includes(FOREIGN_DIGIT),
  },
  {
    kind: 'the JVM refuses',
    why: '0.8.2 takes no blanks around a value; later releases do.',
    where: (given, release) => release === '0.8.2.2' && hasBlanksAround(given),
  },
  {
    kind: 'another value',
    why: 'Names and servers have their blanks in 0.8.2, and a strategy with blanks is range there.',
    where: (given, release) => release === '0.8.2.2' && hasBlanksAround(given),
  },
  {
    kind: 'ours refuses',
    why: '0.8.2 checks its socket timeout before the field has a value, which lets everything pass.',
    where: (given, release) =>
      release === '0.8.2.2' &&
      number(given, 'socket.timeout.ms', 30_000) < number(given, 'fetch.wait.max.ms', 100),
  },
  {
    kind: 'ours refuses',
    why: 'The JVM does not use fetch.max.bytes; ours does, and must be able to fetch from one partition.',
    where: (given) =>
      number(given, 'fetch.max.bytes', Infinity) < number(given, 'fetch.message.max.bytes', 1_048_576),
  },
  {
    kind: 'ours refuses',
    why: '0.8.2 does not know fetch.max.bytes, so that any text will do.',
    where: (given, release) => release === '0.8.2.2' && given['fetch.max.bytes'] !== undefined,
  },
  {
    kind: 'another value',
    why: 'The default of fetch.max.bytes grows with the limit for one partition.',
    where: (given) => number(given, 'fetch.message.max.bytes', 0) > 52_428_800,
  },
  {
    kind: 'another value',
    why: 'A failed rebalance that is tried again without a pause would go in circles, so the default is at least 1 ms.',
    where: (given) => number(given, 'zookeeper.sync.time.ms', 1) < 1,
  },
  {
    kind: 'ours refuses',
    why: '0.8.2 takes every strategy that it does not know for range.',
    where: (given, release) =>
      release === '0.8.2.2' &&
      !['range', 'roundrobin'].includes(given['partition.assignment.strategy'] ?? 'range'),
  },
  {
    kind: 'ours refuses',
    why: 'The group is the name of a node in ZooKeeper, which cannot be empty nor a relative path.',
    where: (given) => ['', '.', '..'].includes(javaTrim(given['group.id'] ?? 'g')),
  },
  {
    kind: 'ours refuses',
    why: 'The consumer id ends the name of a node in ZooKeeper; without text all members have the same.',
    where: (given) => /^\s*$|[/\0\n\ud800-\udfff]/.test(given['consumer.id'] ?? 'c'),
  },
  {
    kind: 'ours refuses',
    why: 'The JVM looks at the text for ZooKeeper only when it connects.',
    where: (given) => SERVERS.slice(8).includes(given['zookeeper.connect'] ?? 'h'),
  },
];
