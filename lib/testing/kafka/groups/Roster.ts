import { Deadline } from './Deadline';
import type { GroupMember } from './GroupMember';
import type { GroupProtocol } from './membership';

/** Who is in a group, and who is about to be. */
export class Roster {
  readonly #members = new Map<string, GroupMember>();
  /** Member ids by group.instance.id. */
  readonly #staticIds = new Map<string, string>();
  /** Ids that have been handed out, and with which nobody has joined yet. */
  readonly #pending = new Map<string, Deadline>();
  #leader: string | null = null;

  get all(): readonly GroupMember[] {
    return [...this.#members.values()];
  }

  get size(): number {
    return this.#members.size;
  }

  get leader(): string | null {
    return this.#leader;
  }

  get(id: string): GroupMember | undefined {
    return this.#members.get(id);
  }

  idOfStatic(groupInstanceId: string): string | undefined {
    return this.#staticIds.get(groupInstanceId);
  }

  /** The first one leads. */
  add(member: GroupMember): void {
    this.dropPending(member.id);
    this.#members.set(member.id, member);
    if (member.groupInstanceId !== null) this.#staticIds.set(member.groupInstanceId, member.id);
    this.#leader ??= member.id;
  }

  /** A leader that goes is followed by the member that has been there longest. */
  remove(member: GroupMember): void {
    member.end();
    this.#members.delete(member.id);
    if (member.groupInstanceId !== null) this.#staticIds.delete(member.groupInstanceId);
    if (this.#leader === member.id) this.#leader = this.all[0]?.id ?? null;
  }

  /** A static member has come back and got another id. */
  rename(member: GroupMember, id: string): void {
    this.#members.delete(member.id);
    if (this.#leader === member.id) this.#leader = id;
    member.id = id;
    this.#members.set(id, member);
    if (member.groupInstanceId !== null) this.#staticIds.set(member.groupInstanceId, id);
  }

  /** After `timeoutMs` the id is forgotten; then `forgotten` is called. */
  addPending(id: string, timeoutMs: number, forgotten: () => void): void {
    const deadline = new Deadline();
    this.#pending.set(id, deadline);
    deadline.start(timeoutMs, () => {
      this.#pending.delete(id);
      forgotten();
    });
  }

  isPending(id: string): boolean {
    return this.#pending.has(id);
  }

  dropPending(id: string): void {
    this.#pending.get(id)?.stop();
    this.#pending.delete(id);
  }

  get haveAllJoined(): boolean {
    return this.#pending.size === 0 && this.all.every(({ isJoining }) => isJoining);
  }

  /** A leader that has not joined again gives way to one that has. False: nobody has. */
  electJoinedLeader(): boolean {
    if (this.#leader === null) return false;
    if (this.#members.get(this.#leader)?.isJoining === true) return true;
    const joined = this.all.find(({ isJoining }) => isJoining);
    if (joined === undefined) return false;
    this.#leader = joined.id;
    return true;
  }

  get rebalanceTimeoutMs(): number {
    return Math.max(0, ...this.all.map(({ rebalanceTimeoutMs }) => rebalanceTimeoutMs));
  }

  /** One of them is known to all members. */
  haveAny(protocols: readonly GroupProtocol[]): boolean {
    return protocols.some(({ name }) => this.#isKnownToAll(name));
  }

  /** Each member votes for what it likes best of the protocols that all know. */
  electProtocol(): string {
    const votes = new Map<string, number>();
    for (const { protocols } of this.all) {
      const favourite = protocols.find(({ name }) => this.#isKnownToAll(name))?.name ?? '';
      votes.set(favourite, (votes.get(favourite) ?? 0) + 1);
    }
    const most = Math.max(...votes.values());
    return [...votes].find(([, count]) => count === most)?.[0] ?? '';
  }

  end(): void {
    for (const member of this.all) member.end();
    for (const deadline of this.#pending.values()) deadline.stop();
    this.#pending.clear();
  }

  #isKnownToAll(protocol: string): boolean {
    return this.all.every((member) => member.supports(protocol));
  }
}
