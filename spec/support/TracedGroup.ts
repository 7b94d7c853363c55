import { GroupPaths } from '../../lib/zookeeper/paths';
import type { TestCluster } from './cluster/TestCluster';
import { TracedMember, type TracedMemberOptions } from './TracedMember';
import { waitFor } from './waitFor';
import { ZookeeperProxy } from './ZookeeperProxy';

/** Long for a machine with other work to do, but over before the connector's regular check, which repairs much. */
const LIMIT_MS = 20_000;

let made = 0;

/** A group of its own with a topic of its own, whose members write everything down in one order. */
export class TracedGroup implements AsyncDisposable {
  readonly name: string;
  readonly topic: string;
  readonly partitions: readonly number[];
  readonly paths: GroupPaths;
  readonly #cluster: TestCluster;
  readonly #members: TracedMember[] = [];
  /** The last number given. */
  #at = 0;
  /** The next number of the order. */
  readonly next = (): number => (this.#at += 1);

  private constructor(cluster: TestCluster, partitions: number) {
    made += 1;
    this.name = `group-${made}`;
    this.topic = `topic-${made}`;
    this.partitions = Array.from({ length: partitions }, (_, p) => p);
    this.paths = new GroupPaths(this.name);
    this.#cluster = cluster;
  }

  /** With `startAt` that position is stored for each partition, so that no member looks up and stores a first one. */
  static async create(
    cluster: TestCluster,
    { partitions, startAt }: { partitions: number; startAt?: number },
  ): Promise<TracedGroup> {
    const group = new TracedGroup(cluster, partitions);
    await cluster.createTopic(group.topic, { partitions });
    if (startAt !== undefined) {
      await using admin = await cluster.zookeeper();
      await admin.mkdirp(group.paths.offsetsOf(group.topic));
      for (const partition of group.partitions) await admin.create(group.offset(partition), String(startAt));
    }
    return group;
  }

  /** A member that has not started yet; by default it has one stream of the topic. */
  async member(
    name: string,
    options: Partial<Pick<TracedMemberOptions, 'topics' | 'properties' | 'handle'>> = {},
  ): Promise<TracedMember> {
    const { host, port } = this.#cluster.zookeeperServers[0] ?? { host: '', port: 0 };
    const chroot = this.#cluster.zookeeperConnect.replace(/^[^/]*/, '');
    const zookeeper = await ZookeeperProxy.start({ name, target: { host, port }, chroot, next: this.next });
    const member = new TracedMember({
      ...{ name, zookeeper, group: this.name, topics: { [this.topic]: 1 }, next: this.next },
      ...options,
    });
    this.#members.push(member);
    return member;
  }

  owner(partition: number): string {
    return this.paths.owner(this.topic, partition);
  }

  offset(partition: number): string {
    return this.paths.offset(this.topic, partition);
  }

  /** Resolves with the first truthy value; the error tells what the members did last. */
  until<T>(description: string, condition: () => T | Promise<T>): ReturnType<typeof waitFor<T>> {
    return waitFor(condition, {
      ...{ timeoutMs: LIMIT_MS, description },
      details: () =>
        this.#members
          .map(({ name, owned, messages, events }) => {
            const last = events
              .slice(-12)
              .map(({ event, payload }) => `\n  ${event} ${JSON.stringify(payload)}`);
            return `${name} owns ${owned.join(' ')}, has ${messages.length} messages${last.join('')}`;
          })
          .join('\n'),
    });
  }

  /** Resolves when the member owns exactly these partitions of the topic. */
  async untilOwned(member: TracedMember, partitions: readonly number[]): Promise<void> {
    const wanted = partitions.map((partition) => `${this.topic}/${partition}`).join(' ');
    await this.until(`${member.name} owns ${wanted}`, () => member.owned.join(' ') === wanted);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#members.map((member) => member[Symbol.asyncDispose]()));
  }
}
