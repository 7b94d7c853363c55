import type { ArgumentFaults } from './argumentFaults';
import { GENERATIONS, type Generation } from './kafka/Generation';

/** What a value may be: a pattern, and how to say it. */
interface Kind {
  readonly pattern: RegExp;
  readonly right: string;
}

const NUMBER: Kind = { pattern: /^\d+$/, right: 'a whole number as text, such as "1000"' };
const LIMIT: Kind = {
  pattern: /^(\d+|-1)$/,
  right: 'a whole number as text, such as "1000", or "-1" for none',
};
const SIGNED: Kind = { pattern: /^-?\d+$/, right: 'a whole number as text, such as "1"' };
const REPLICAS: Kind = { pattern: /^[1-9]\d*$/, right: 'a whole number from 1 on as text, such as "2"' };
const RATIO: Kind = {
  pattern: /^(0(\.\d+)?|1(\.0+)?)$/,
  right: 'a number from 0 to 1 as text, such as "0.5"',
};
const BOOLEAN: Kind = { pattern: /^(true|false)$/, right: '"true" or "false"' };
const TEXT: Kind = { pattern: /^/, right: 'a text' };
const CLEANUP: Kind = {
  pattern: /^(compact|delete)(,(compact|delete))?$/,
  right: '"delete", "compact" or "compact,delete"',
};
const TIMESTAMPS: Kind = {
  pattern: /^(CreateTime|LogAppendTime)$/,
  right: '"CreateTime" or "LogAppendTime"',
};
const VERSION: Kind = { pattern: /^\d+(\.\d+)+(-IV\d+)?$/, right: 'a version of Kafka, such as "0.10.2"' };

/**
 * The properties that topics have, with the generation that brings them. Embedded brokers act on five of them: max.message.bytes,
 * message.format.version, message.timestamp.type, min.insync.replicas and unclean.leader.election.enable. The others are
 * stored for those who read them; here nothing is flushed, compacted or deleted by itself.
 */
const BROUGHT_BY: Partial<Record<Generation, Readonly<Record<string, Kind>>>> = {
  '0.8': {
    'cleanup.policy': CLEANUP,
    'delete.retention.ms': NUMBER,
    'file.delete.delay.ms': NUMBER,
    'flush.messages': NUMBER,
    'flush.ms': NUMBER,
    'index.interval.bytes': NUMBER,
    'max.message.bytes': NUMBER,
    'min.cleanable.dirty.ratio': RATIO,
    'min.insync.replicas': REPLICAS,
    'retention.bytes': LIMIT,
    'retention.ms': LIMIT,
    'segment.bytes': NUMBER,
    'segment.index.bytes': NUMBER,
    'segment.jitter.ms': NUMBER,
    'segment.ms': NUMBER,
    'unclean.leader.election.enable': BOOLEAN,
  },
  '0.9': { 'compression.type': TEXT, preallocate: BOOLEAN },
  '0.10.2': {
    'follower.replication.throttled.replicas': TEXT,
    'leader.replication.throttled.replicas': TEXT,
    'message.format.version': VERSION,
    'message.timestamp.difference.max.ms': NUMBER,
    'message.timestamp.type': TIMESTAMPS,
    'min.compaction.lag.ms': NUMBER,
  },
  '3.9': {
    'compression.gzip.level': SIGNED,
    'compression.lz4.level': SIGNED,
    'compression.zstd.level': SIGNED,
    'local.retention.bytes': SIGNED,
    'local.retention.ms': SIGNED,
    'max.compaction.lag.ms': NUMBER,
    'message.downconversion.enable': BOOLEAN,
    'message.timestamp.after.max.ms': NUMBER,
    'message.timestamp.before.max.ms': NUMBER,
    'remote.log.copy.disable': BOOLEAN,
    'remote.log.delete.on.disable': BOOLEAN,
    'remote.storage.enable': BOOLEAN,
  },
};

/** Adds what is wrong with a topic's configuration. */
export function checkTopicConfig(
  faults: ArgumentFaults,
  name: string,
  config: unknown,
  generation: Generation,
): void {
  const kinds = kindsOf(generation);
  const given = faults.fields(
    name,
    config,
    Object.keys(kinds),
    "an object such as { 'max.message.bytes': '2000' }",
  );
  for (const [property, value] of Object.entries(given ?? {})) {
    const kind = Object.hasOwn(kinds, property) ? kinds[property] : undefined;
    if (kind === undefined) continue;
    const isRight = typeof value === 'string' && kind.pattern.test(value);
    faults.check(isRight, `${name}[${JSON.stringify(property)}]`, kind.right, value);
  }
}

function kindsOf(generation: Generation): Readonly<Record<string, Kind>> {
  const upTo = GENERATIONS.slice(0, GENERATIONS.indexOf(generation) + 1);
  return Object.fromEntries(upTo.flatMap((one) => Object.entries(BROUGHT_BY[one] ?? {})));
}
