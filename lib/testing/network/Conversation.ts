/** What a server does with one connection of a client. */
export interface Conversation {
  /**
   * A whole frame, without its length. If there is a promise, the next frame comes when it has been kept; it never
   * rejects.
   */
  received(frame: Buffer): void | Promise<void>;
  /** The connection is gone, whoever ended it: nothing can be sent any more. Called once. */
  closed(): void;
}

/** One connection of a client, as the server behind it sees it. */
export interface ClientConnection {
  /** Counts all connections of the cluster, from 1. */
  readonly id: number;
  /** Port of the client. */
  readonly remotePort: number;
  /** Who the client says it is: a client.id, or the session's id such as "0x15c0ffee"; null until it has said so. */
  client: string | null;
  readonly isOpen: boolean;
  /** Sends a frame; its length goes in front. */
  send(frame: Buffer): void;
  /** Sends bytes as they are. */
  sendRaw(bytes: Buffer): void;
  /** Ends the connection in order, behind what was sent. */
  end(): void;
  /** Ends the connection at once. */
  reset(): void;
}
