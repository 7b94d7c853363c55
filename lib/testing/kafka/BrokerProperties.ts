import { rightNames } from '../../wrongArguments';
import type { Generation } from './Generation';

type Default = string | Readonly<Record<Generation, string>>;

/** What brokers act on, with Kafka's default. */
const KNOWN: Readonly<Record<string, Default>> = {
  'advertised.host.name': '',
  'advertised.listeners': '',
  'advertised.port': '',
  'auto.create.topics.enable': 'true',
  'default.replication.factor': '1',
  'delete.topic.enable': { '0.8': 'false', '0.9': 'false', '0.10.2': 'false', '1.1': 'true', '3.9': 'true' },
  'fetch.max.bytes': '57671680',
  'group.initial.rebalance.delay.ms': '3000',
  'group.max.session.timeout.ms': {
    ...{ '0.8': '30000', '0.9': '30000', '0.10.2': '300000', '1.1': '300000' },
    '3.9': '1800000',
  },
  'group.min.session.timeout.ms': '6000',
  'log.message.format.version': '',
  'log.message.timestamp.type': 'CreateTime',
  'message.max.bytes': {
    ...{ '0.8': '1000012', '0.9': '1000012', '0.10.2': '1000012', '1.1': '1000012' },
    '3.9': '1048588',
  },
  'min.insync.replicas': '1',
  'num.partitions': '1',
  'offset.metadata.max.bytes': '4096',
  'offsets.topic.num.partitions': '50',
  'offsets.topic.replication.factor': '3',
  'unclean.leader.election.enable': {
    ...{ '0.8': 'true', '0.9': 'true', '0.10.2': 'true', '1.1': 'false' },
    '3.9': 'false',
  },
};

/** What has no meaning here: nothing is stored, replicas never lag, and one process has no threads to count. */
const WITHOUT_EFFECT: readonly string[] = [
  'auto.leader.rebalance.enable',
  'background.threads',
  'controlled.shutdown.enable',
  'inter.broker.protocol.version',
  'log.cleaner.dedupe.buffer.size',
  'log.cleaner.enable',
  'log.dirs',
  'log.index.size.max.bytes',
  'log.initial.task.delay.ms',
  'log.retention.check.interval.ms',
  'log.retention.hours',
  'log.segment.bytes',
  'num.io.threads',
  'num.network.threads',
  'num.replica.fetchers',
  'replica.lag.time.max.ms',
  'transaction.state.log.min.isr',
  'transaction.state.log.num.partitions',
  'transaction.state.log.replication.factor',
  'zookeeper.connection.timeout.ms',
  'zookeeper.session.timeout.ms',
];

/** The lines of a broker's server.properties. */
export class BrokerProperties {
  readonly #generation: Generation;
  readonly #given: Readonly<Record<string, string>>;

  /** @throws RangeError for a name that is not known here, with those that are, and for a value of the wrong kind */
  constructor(generation: Generation, given: Readonly<Record<string, string>> = {}) {
    this.#generation = generation;
    this.#given = given;
    const names = Object.keys(given);
    const unknown = names.filter((name) => !Object.hasOwn(KNOWN, name) && !WITHOUT_EFFECT.includes(name));
    if (unknown.length > 0) {
      const known = [...Object.keys(KNOWN), ...WITHOUT_EFFECT].sort();
      const faults = unknown.map(
        (name) => `embedded brokers do not know ${name} in server.properties${rightNames(name, known)}`,
      );
      throw new RangeError(faults.join('\n'));
    }
    for (const name of names) if (Object.hasOwn(KNOWN, name)) this.#check(name);
  }

  /** What was given, or Kafka's default; '' for what has none. */
  get(name: string): string {
    return this.#given[name] ?? this.#defaultOf(name);
  }

  #check(name: string): void {
    const value = this.get(name);
    const usual = this.#defaultOf(name);
    const isNumber = /^\d+$/.test(usual) || name === 'advertised.port';
    if (isNumber && !/^\d+$/.test(value)) {
      throw new RangeError(`${name} must be a whole number, not ${JSON.stringify(value)}`);
    }
    const isBoolean = usual === 'true' || usual === 'false';
    if (isBoolean && value !== 'true' && value !== 'false') {
      throw new RangeError(`${name} must be true or false, not ${JSON.stringify(value)}`);
    }
  }

  #defaultOf(name: string): string {
    const known = KNOWN[name];
    if (known === undefined) throw new RangeError(`embedded brokers do not act on ${name}`);
    return typeof known === 'string' ? known : known[this.#generation];
  }
}
