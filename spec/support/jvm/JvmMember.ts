import path from 'node:path';

import { JavaProcess } from '../cluster/JavaProcess';
import { compileJava, kafkaJars } from '../cluster/kafkaJars';
import type { MemberSubscription } from '../memberSubscription';
import { waitFor, withDeadline } from '../waitFor';

/** The classes of a member. */
const SOURCES = ['JvmMember', 'AssignmentReport', 'JsonLines', 'OwnerNodes', 'StreamThreads'];

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;

/** Quick to notice and to commit, so that specs need not wait for the defaults. */
const DEFAULTS = {
  'zookeeper.session.timeout.ms': '4000',
  'zookeeper.sync.time.ms': '500',
  'auto.offset.reset': 'smallest',
  'auto.commit.interval.ms': '500',
  'rebalance.max.retries': '10',
};

/** The Kafka whose connector it is; it reads from brokers of that release and of later ones. */
export type JvmRelease = '0.8.2.2' | '0.10.2.2' | '1.1.1';

export type JvmMemberOptions = MemberSubscription & {
  readonly zookeeperConnect: string;
  readonly group: string;
  /** Default '0.8.2.2', which reads from brokers of every release. */
  readonly release?: JvmRelease;
  /** Settings of the consumer, such as "consumer.id". */
  readonly properties?: Readonly<Record<string, string>>;
};

export interface JvmMessage {
  readonly threadId: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly value: string | null;
}

type JvmEvent =
  | { readonly event: 'started'; readonly consumerId: string }
  | { readonly event: 'owned' | 'assigned'; readonly partitions: Readonly<Record<string, string>> }
  | { readonly event: 'ownedCount'; readonly count: number }
  | ({ readonly event: 'message' } & JvmMessage)
  | { readonly event: 'error'; readonly message: string }
  | { readonly event: 'done'; readonly count: number };

let started = 0;

/** The original connector as a member of a group, in a JVM of its own. */
export class JvmMember implements AsyncDisposable {
  /** In the order in which they were handed out. */
  readonly messages: JvmMessage[] = [];
  readonly errors: string[] = [];
  readonly #jvm: JavaProcess;
  #owned: ReadonlyMap<string, string> = new Map();
  #assigned: ReadonlyMap<string, string> | null = null;
  /** All answers of its metric. */
  readonly #ownedCounts: number[] = [];
  #consumerId: string | null = null;
  /** True once it has said that it committed and left. */
  #done = false;

  private constructor(classpath: readonly string[], args: readonly string[]) {
    this.#jvm = new JavaProcess({
      classpath,
      mainClass: 'JvmMember',
      args,
      flags: ['-Xmx64m'],
      onLine: (line) => this.#receive(line),
    });
  }

  /** Resolves when the member has registered and tried its first rebalance. */
  static async start(options: JvmMemberOptions): Promise<JvmMember> {
    const { release = '0.8.2.2' } = options;
    const jars = await kafkaJars(release);
    const sources = SOURCES.map((name) => path.join(__dirname, `${name}.java`));
    const classes = await compileJava(`member-${release}`, sources, jars);
    const properties: Record<string, string> = {
      ...DEFAULTS,
      'zookeeper.connect': options.zookeeperConnect,
      'group.id': options.group,
      'consumer.id': `jvm-${process.pid}-${++started}`,
      ...options.properties,
    };
    const args = [...pairsOf(properties), '--', ...argumentsOf(options)];
    const member = new JvmMember([classes, ...jars], args);
    try {
      await waitFor(() => member.#jvm.hasExited || member.#consumerId !== null, {
        timeoutMs: START_LIMIT_MS,
        description: 'registration of the JVM member',
        details: () => member.#jvm.logTail(),
      });
      if (member.#consumerId === null) throw new Error(`The JVM member ended. ${member.#jvm.logTail()}`);
      return member;
    } catch (error) {
      await member.kill();
      throw error;
    }
  }

  /** "group_consumer.id", as in /consumers/G/ids. */
  get consumerId(): string {
    return this.#consumerId ?? '';
  }

  /** Thread id by "topic/partition", from the owner nodes that name this member, as it reported last. */
  get owned(): ReadonlyMap<string, string> {
    return this.#owned;
  }

  /**
   * What it thinks that every thread of the group has ("topic/partition" to thread id), of the topics that it looks at: with
   * `range` its own. Null for one of 0.8, which does not tell, and before its first successful rebalance.
   */
  get assigned(): ReadonlyMap<string, string> | null {
    return this.#assigned;
  }

  /** The value of its metric OwnedPartitionsCount, which is 0 during a rebalance. */
  async ownedCount(): Promise<number> {
    const before = this.#ownedCounts.length;
    this.#jvm.writeLine('ownedCount');
    await waitFor(() => this.#ownedCounts.length > before, {
      ...{ timeoutMs: 10_000, description: 'the metric OwnedPartitionsCount' },
      details: () => this.#jvm.logTail(),
    });
    return this.#ownedCounts.at(-1) ?? 0;
  }

  get pid(): number {
    return this.#jvm.pid;
  }

  get hasExited(): boolean {
    return this.#jvm.hasExited;
  }

  /** The last lines of the JVM's log. */
  get log(): string {
    return this.#jvm.logTail();
  }

  /** Commits, leaves the group and waits for the end of the JVM. */
  async stop(): Promise<void> {
    if (this.#jvm.hasExited) return;
    this.resume();
    this.#jvm.writeLine('stop');
    try {
      const how = await withDeadline(this.#jvm.exited, STOP_LIMIT_MS, 'shutdown of the JVM member');
      if (!this.#done) throw new Error(`The JVM member ended with ${how} before it had left its group`);
    } catch (error) {
      const log = this.#jvm.logTail();
      await this.kill();
      throw new Error(`The JVM member did not stop cleanly. ${log}`, { cause: error });
    }
  }

  /** As a crash: nothing is committed, the session stays until it times out. */
  async kill(): Promise<void> {
    this.#jvm.kill();
    await this.#jvm.exited;
  }

  /** The process stands still, as in a long collection of garbage. */
  pause(): void {
    this.#jvm.pause();
  }

  resume(): void {
    this.#jvm.resume();
  }

  /** Does not wait for a clean shutdown, for which the cluster may be gone already. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#jvm.hasExited ? Promise.resolve() : this.kill();
  }

  #receive(line: string): boolean {
    if (!line.startsWith('{"event":')) return false;
    const event = JSON.parse(line) as JvmEvent;
    switch (event.event) {
      case 'started':
        this.#consumerId = event.consumerId;
        break;
      case 'owned':
        this.#owned = new Map(Object.entries(event.partitions));
        break;
      case 'assigned':
        this.#assigned = new Map(Object.entries(event.partitions));
        break;
      case 'ownedCount':
        this.#ownedCounts.push(event.count);
        break;
      case 'message':
        this.messages.push(messageOf(event));
        break;
      case 'error':
        this.errors.push(event.message);
        break;
      case 'done':
        this.#done = true;
        break;
    }
    return true;
  }
}

function messageOf({ threadId, topic, partition, offset, key, value }: JvmMessage): JvmMessage {
  return { threadId, topic, partition, offset, key, value };
}

function pairsOf(map: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(map).map(([name, value]) => `${name}=${value}`);
}

function argumentsOf({ topics = {}, filter }: MemberSubscription): string[] {
  if (filter === undefined) return ['topics', ...pairsOf(topics)];
  const { whitelist, blacklist, streams = 1 } = filter;
  return whitelist === undefined
    ? ['blacklist', blacklist, String(streams)]
    : ['whitelist', whitelist, String(streams)];
}
