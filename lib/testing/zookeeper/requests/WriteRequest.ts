import type { JuteWriter } from '../jute/JuteWriter';
import type { WriteType } from '../OperationLog';
import type { Transaction } from '../tree/Transaction';
import type { Txn, TxnResult } from '../tree/Txn';

/** One change of one node, as a client asks for it. */
export interface WriteRequest {
  readonly type: Exclude<WriteType, 'multi'>;
  readonly path: string;
  /** What is to be written; null for nothing. */
  readonly data: Buffer | null;
  /** Type of its result in the answer to a multi. */
  readonly resultType: number;
  /** @throws ZookeeperFault if it cannot be done */
  prepare(transaction: Transaction): Txn;
  writeResult(result: TxnResult, answer: JuteWriter): void;
}
