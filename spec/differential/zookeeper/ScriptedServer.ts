import type { ServerAddress } from '../../support/cluster/clusterFiles';

/** The server that the scripts speak to, real or embedded. It is fresh: nobody has asked it for anything. */
export interface ScriptedServer extends ServerAddress {
  /** Ends a session at once. Its id is such as "0x15c0ffee". */
  expireSession(id: string): Promise<void>;
}
