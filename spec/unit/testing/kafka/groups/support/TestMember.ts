import { joinGroupRoute } from '../../../../../../lib/testing/kafka/groups/joinGroupRoute';
import { heartbeatRoute } from '../../../../../../lib/testing/kafka/groups/heartbeatRoute';
import { leaveGroupRoute } from '../../../../../../lib/testing/kafka/groups/leaveGroupRoute';
import { syncGroupRoute } from '../../../../../../lib/testing/kafka/groups/syncGroupRoute';
import type { Asked, GroupCluster } from './GroupCluster';

type JoinAnswer = Awaited<ReturnType<TestMember['join']>>;

export interface MemberOptions extends Asked {
  readonly sessionTimeoutMs?: number;
  readonly rebalanceTimeoutMs?: number;
  readonly groupInstanceId?: string;
  readonly protocolType?: string;
  /** The metadata of each protocol is its name, unless it is given here. */
  readonly protocols?: readonly string[];
  readonly metadata?: string;
}

/** A client that is a member of the group "g"; it does only what it is told. Default version: the last without MEMBER_ID_REQUIRED. */
export class TestMember {
  memberId = '';
  generationId = -1;
  protocolName: string | null = null;
  readonly #cluster: GroupCluster;
  readonly #options: MemberOptions;

  constructor(cluster: GroupCluster, options: MemberOptions = {}) {
    this.#cluster = cluster;
    this.#options = { version: 3, ...options };
  }

  async join(changes: MemberOptions & { readonly memberId?: string } = {}) {
    const options = { ...this.#options, ...changes };
    const { protocols = ['range'], metadata } = options;
    const answer = await this.#cluster.ask(
      joinGroupRoute,
      {
        groupId: 'g',
        memberId: options.memberId ?? this.memberId,
        groupInstanceId: options.groupInstanceId ?? null,
        sessionTimeoutMs: options.sessionTimeoutMs ?? 10_000,
        rebalanceTimeoutMs: options.rebalanceTimeoutMs ?? 10_000,
        protocolType: options.protocolType ?? 'consumer',
        protocols: protocols.map((name) => ({ name, metadata: Buffer.from(metadata ?? name) })),
        reason: null,
      },
      options,
    );
    if (answer.errorCode === 0) {
      this.memberId = answer.memberId ?? '';
      this.generationId = answer.generationId ?? -1;
      this.protocolName = answer.protocolName ?? null;
    }
    return answer;
  }

  /** @param assignments - text by member id, from the leader */
  async sync(assignments: Readonly<Record<string, string>> = {}, changes: Partial<Identity> = {}) {
    return await this.#cluster.ask(
      syncGroupRoute,
      {
        ...this.#identity,
        protocolType: this.#options.protocolType ?? 'consumer',
        protocolName: this.protocolName,
        assignments: Object.entries(assignments).map(([memberId, text]) => ({
          memberId,
          assignment: Buffer.from(text),
        })),
        ...changes,
      },
      this.#options,
    );
  }

  /** The error code. */
  async heartbeat(changes: Partial<Identity> = {}): Promise<number | undefined> {
    const { errorCode } = await this.#cluster.ask(
      heartbeatRoute,
      { ...this.#identity, ...changes },
      this.#options,
    );
    return errorCode;
  }

  /** The error code. */
  async leave(): Promise<number | undefined> {
    const { memberId, groupInstanceId } = this.#identity;
    const request = { groupId: 'g', memberId, members: [{ memberId, groupInstanceId, reason: null }] };
    const { errorCode, members } = await this.#cluster.ask(leaveGroupRoute, request, this.#options);
    return members?.[0]?.errorCode ?? errorCode;
  }

  get #identity(): Identity {
    const { memberId, generationId } = this;
    return { groupId: 'g', memberId, generationId, groupInstanceId: this.#options.groupInstanceId ?? null };
  }
}

interface Identity {
  readonly groupId: string;
  readonly memberId: string;
  readonly generationId: number;
  readonly groupInstanceId: string | null;
}

/** All join, newcomers before the leader, and get their assignments, which are their member ids. */
export async function stabilize(...members: readonly TestMember[]): Promise<void> {
  const answers = await Promise.all(members.map((member) => member.join()));
  const assignments = Object.fromEntries(answers.map(({ memberId = '' }) => [memberId, memberId]));
  await Promise.all(members.map((member) => member.sync(assignments)));
}

export function memberIds({ members = [] }: JoinAnswer): string[] {
  return members.map(({ memberId = '' }) => memberId);
}
