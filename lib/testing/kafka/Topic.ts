import type { TopicState } from './KafkaState';
import { PartitionLog, type LogOptions } from './log/PartitionLog';
import { Partition } from './Partition';

/** A topic with its partitions; all brokers know the same. */
export class Topic implements TopicState {
  readonly name: string;
  readonly topicId: string;
  readonly #logOptionsOf: (config: ReadonlyMap<string, string>) => LogOptions;
  #config: ReadonlyMap<string, string>;
  readonly #partitions: Partition[] = [];

  constructor(
    name: string,
    topicId: string,
    config: ReadonlyMap<string, string>,
    logOptionsOf: (config: ReadonlyMap<string, string>) => LogOptions,
  ) {
    this.name = name;
    this.topicId = topicId;
    this.#config = config;
    this.#logOptionsOf = logOptionsOf;
  }

  get config(): ReadonlyMap<string, string> {
    return this.#config;
  }

  get partitions(): readonly Partition[] {
    return this.#partitions;
  }

  /** The format of messages stays what it was. */
  configure(config: ReadonlyMap<string, string>): void {
    this.#config = config;
    const { timestampType, maxMessageBytes } = this.#logOptionsOf(config);
    for (const { log } of this.#partitions) Object.assign(log.options, { timestampType, maxMessageBytes });
  }

  /** Replicas per partition; more partitions than before are added, fewer are left as they are. */
  assign(assignment: readonly (readonly number[])[]): void {
    for (const [index, replicas] of assignment.entries()) {
      const known = this.#partitions[index];
      if (known === undefined) {
        const log = new PartitionLog(this.#logOptionsOf(this.#config));
        this.#partitions.push(new Partition(index, replicas, log));
      } else known.replicas = replicas;
    }
  }

  /** Those who wait for one of its partitions have to look again. */
  tell(): void {
    for (const partition of this.#partitions) partition.tell();
  }
}
