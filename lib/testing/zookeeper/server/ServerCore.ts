import type { Database } from '../Database';
import type { FailurePlan } from '../FailurePlan';
import type { Session } from '../sessions/Session';
import type { Watches } from '../watches/Watches';
import type { ClientConversation } from './ClientConversation';
import type { ConnectRequest } from './connectRequest';
import type { Traffic } from './Traffic';

/** What a connection needs of its server. */
export interface ServerCore {
  /** From 1. */
  readonly number: number;
  readonly database: Database;
  readonly failures: FailurePlan;
  readonly watches: Watches;
  readonly traffic: Traffic;
  /** The connections that are open. */
  readonly conversations: Set<ClientConversation>;
  /** False while there is no majority. */
  readonly isServing: boolean;
  readonly isLeader: boolean;
  /** The session that a client asks for, or null if there is none for it. */
  sessionFor(request: ConnectRequest): Session | null;
}
