import { ExampleProcess } from './ExampleProcess';

export interface Received {
  readonly threadId: string;
  readonly partition: number;
  readonly offset: number;
  /** The value: the producer counts its messages. */
  readonly number: number;
}

/** A member of the group: examples/ConsumerGroupExample.ts in a process of its own. */
export class Member extends ExampleProcess {
  readonly name: string;
  /** Lines of stdout that have become messages. */
  readonly #received: Received[] = [];

  constructor(
    name: string,
    settings: {
      zookeeper: string;
      group: string;
      topic: string;
      threads: number;
      properties: Record<string, string>;
    },
  ) {
    const { zookeeper, group, topic, threads, properties } = settings;
    super('ConsumerGroupExample.ts', [
      ...['--zookeeper', zookeeper, '--group', group, '--topic', topic, '--threads', String(threads)],
      ...['--from-beginning', '--consumer-id', name],
      ...Object.entries(properties).flatMap(([key, value]) => ['--property', `${key}=${value}`]),
    ]);
    this.name = name;
  }

  /** Every message it has got, in order. */
  get received(): readonly Received[] {
    while (this.#received.length < this.stdout.length) {
      this.#received.push(parse(this.stdout[this.#received.length] ?? ''));
    }
    return this.#received;
  }
}

function parse(line: string): Received {
  const [, threadId, partition, offset, number] =
    /^(\S+) {2}\S+\/(\d+) {2}offset (\d+) {2}key .* {2}value "(\d+)"$/.exec(line) ?? [];
  if (threadId === undefined) throw new Error(`a member has printed something else than a message: ${line}`);
  return { threadId, partition: Number(partition), offset: Number(offset), number: Number(number) };
}
