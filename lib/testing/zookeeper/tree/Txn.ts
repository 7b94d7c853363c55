import type { AccessEntry } from '../acl/AccessEntry';
import type { NodeStat } from './TreeNode';

/** A change that has been found possible, with all that it does. */
export type Txn =
  | {
      readonly kind: 'create';
      readonly path: string;
      readonly data: Buffer | null;
      readonly acl: readonly AccessEntry[];
      readonly owner: bigint;
    }
  | { readonly kind: 'delete'; readonly path: string }
  | { readonly kind: 'set'; readonly path: string; readonly data: Buffer | null; readonly version: number }
  | {
      readonly kind: 'setAcl';
      readonly path: string;
      readonly acl: readonly AccessEntry[];
      readonly version: number;
    }
  | { readonly kind: 'check'; readonly path: string };

/** What a change has led to. */
export interface TxnResult {
  readonly path: string;
  /** Null where clients are told none. */
  readonly stat: NodeStat | null;
}

/** What watches are about. */
export interface TreeEvent {
  readonly type: 'created' | 'deleted' | 'changed';
  readonly path: string;
  /** Of the node. */
  readonly acl: readonly AccessEntry[];
  readonly parentAcl: readonly AccessEntry[];
}
