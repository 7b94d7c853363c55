import type { AccessEntry } from '../acl/AccessEntry';

/** Types of events on the wire. */
export const EVENT = { created: 1, deleted: 2, changed: 3, children: 4 } as const;

export type EventType = keyof typeof EVENT;

/** A connection that can be told of events. */
export interface Watcher {
  /** Of its session. */
  readonly sessionIdText: string;
  /**
   * The event goes out before any answer that comes later.
   *
   * @param acl - of the node it is about; null for what may be told to everyone
   */
  tell(type: EventType, path: string, acl: readonly AccessEntry[] | null): void;
}

export type WatchMode = 'once' | 'persistent' | 'recursive';
