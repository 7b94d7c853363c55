import { ByteWriter } from '../../support/produce/bytes';
import type { Fields, Value } from './definitions/messageDefinition';
import type { RawConnection } from '../RawConnection';
import { coordinatorOf } from './scripts/coordinator';
import type { Stage } from './Stage';

const TYPE = 'consumer';
const SESSION_MS = 30_000;
const REBALANCE_MS = 10_000;

/** What a script acts on when it is about one group: requests go to its coordinator, each member has a connection. */
export class GroupStage {
  readonly group: string;
  readonly #stage: Stage;
  readonly #coordinator: number;

  private constructor(stage: Stage, group: string, coordinator: number) {
    this.group = group;
    this.#stage = stage;
    this.#coordinator = coordinator;
  }

  static async open(stage: Stage, group: string): Promise<GroupStage> {
    return new GroupStage(stage, group, await coordinatorOf(stage, group));
  }

  get otherBroker(): number {
    return this.#coordinator === 1 ? 2 : 1;
  }

  /** Sends a request that may wait for other members. */
  async send(member: string, api: string, version: number, fields: Fields): Promise<void> {
    this.#stage.send(await this.#connection(member), api, version, { groupId: this.group, ...fields });
  }

  /** The answer to what a member has sent. */
  async receive(member: string, api: string, version: number, note: string): Promise<Fields> {
    const connection = await this.#connection(member);
    return this.#stage.receive(connection, api, version, { note: `${note}, ${member}` });
  }

  async ask(member: string, api: string, version: number, note: string, fields: Fields): Promise<Fields> {
    await this.send(member, api, version, fields);
    return this.receive(member, api, version, note);
  }

  /** Asks without writing anything down. */
  look(api: string, version: number, fields: Fields): Promise<Fields> {
    return this.#stage.look(this.#coordinator, api, version, { groupId: this.group, ...fields });
  }

  /** Asks the coordinator something that is not about this group alone. */
  askOfAll(api: string, version: number, note: string, fields: Fields): Promise<Fields> {
    return this.#stage.ask(this.#coordinator, api, version, fields, { note });
  }

  #connection(member: string): Promise<RawConnection> {
    return this.#stage.connection(this.#coordinator, `${this.group} ${member}`);
  }
}

/** What a consumer joins with; its metadata has the member's name. */
export function joinFields(member: string, memberId: string, more: Fields = {}): Fields {
  return {
    memberId,
    protocolType: TYPE,
    sessionTimeoutMs: SESSION_MS,
    rebalanceTimeoutMs: REBALANCE_MS,
    protocols: protocolsOf(member, 'range', 'roundrobin'),
    ...more,
  };
}

export function protocolsOf(member: string, ...names: readonly string[]): Value[] {
  return names.map((name) => ({ name, metadata: subscription(`${member} for ${name}`) }));
}

/** As consumers write it; real coordinators look into it. */
function subscription(userData: string): Buffer {
  return new ByteWriter().int16(0).int32(1).string('groups').bytes(Buffer.from(userData)).toBuffer();
}

/** What the leader sends when all have joined. */
export function assignmentsOf(assignments: Readonly<Record<string, string>>): Value[] {
  return Object.entries(assignments).map(([memberId, text]) => ({ memberId, assignment: Buffer.from(text) }));
}
