import type { JvmCommands } from '../cluster/JvmCommands';
import { startOracle } from './startOracle';

const LIMIT_MS = 60_000;

/** Thread id by "topic/partition", or why a member has failed. */
export type JvmAssignment = ReadonlyMap<string, string> | { readonly refused: string };

/** What the assignors of a release make of groups whose registrations are in ZooKeeper. */
export class AssignorOracle implements AsyncDisposable {
  readonly #jvm: JvmCommands;

  private constructor(jvm: JvmCommands) {
    this.#jvm = jvm;
  }

  static async start(release: string, zookeeperConnect: string): Promise<AssignorOracle> {
    const what = `The assignor of ${release}`;
    const args = [zookeeperConnect];
    return new AssignorOracle(await startOracle({ what, mainClass: 'AssignorOracle', release, args }));
  }

  /** By both strategies. The members, by their consumer ids, are all of the group, and agree about everything that is told. */
  async assign(
    group: string,
    members: readonly string[],
  ): Promise<{ readonly range: JvmAssignment; readonly roundrobin: JvmAssignment }> {
    const items = await this.#jvm.command([group, ...members].join('\t'), LIMIT_MS);
    const fields = items.map((item) => item.split('\t'));
    return { range: assignmentOf('range', fields), roundrobin: assignmentOf('roundrobin', fields) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#jvm.end();
  }
}

function assignmentOf(strategy: string, items: readonly (readonly string[])[]): JvmAssignment {
  const owners = new Map<string, string>();
  for (const [of, topic = '', partition, thread] of items) {
    if (of !== strategy) continue;
    if (partition === undefined || thread === undefined) return { refused: topic };
    owners.set(`${topic}/${partition}`, thread);
  }
  return owners;
}
