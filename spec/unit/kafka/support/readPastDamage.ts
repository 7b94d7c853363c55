import { ConnectorError } from '../../../../lib/errors';
import type { AbortedTransaction } from '../../../../lib/kafka/records/AbortedTransactions';
import { MessageCursor } from '../../../../lib/kafka/records/MessageCursor';
import { messageAt, type DecodedMessage } from './captures';
import type { Entry } from './damage';

export interface Fault {
  readonly code: string;
  readonly offset: number;
  readonly nextOffset: number;
}

export interface Reading {
  readonly messages: readonly DecodedMessage[];
  readonly faults: readonly Fault[];
}

const FAULT_CODES: readonly string[] = [
  'MESSAGE_CORRUPT',
  'MESSAGE_TOO_LARGE',
  'CODEC_UNSUPPORTED',
  'FORMAT_UNSUPPORTED',
];
const MAX_FAULTS = 100;

/**
 * Reads as an application does that seeks past each fault, from a broker that holds these bytes: it gives what begins with
 * the entry that the asked offset is in, as the `entries` say, which are those before the damage. Whatever is neither a
 * message nor a fault with the right context is thrown.
 */
export function readPastDamage(
  records: Buffer,
  entries: readonly Entry[],
  aborted: readonly AbortedTransaction[],
): Reading {
  const messages: DecodedMessage[] = [];
  const faults: Fault[] = [];
  for (let from = 0; ;) {
    const first = entries.find(({ last }) => last >= from);
    if (first === undefined) return { messages, faults };
    const abortedTransactions = aborted.filter((one) => endOf(one, entries) >= from);
    const cursor = new MessageCursor(records.subarray(first.at), from, 'orders', 3, { abortedTransactions });
    const fault = readToFault(cursor, from, messages);
    if (fault === null) return { messages, faults };
    faults.push(fault);
    if (faults.length > MAX_FAULTS) throw new Error(`no way past ${JSON.stringify(fault)}`);
    from = fault.nextOffset;
  }
}

/** Where the marker is that ends the transaction: a broker names those only that overlap what it answers with. */
function endOf({ producerId, firstOffset }: AbortedTransaction, entries: readonly Entry[]): number {
  return (
    entries.find(({ markerOf, last }) => markerOf === producerId && last > firstOffset)?.last ?? Infinity
  );
}

function readToFault(cursor: MessageCursor, from: number, messages: DecodedMessage[]): Fault | null {
  let least = from;
  try {
    while (cursor.advance()) {
      if (cursor.offset < least) throw new Error(`offset ${cursor.offset} where ${least} is the least`);
      least = cursor.offset + 1;
      messages.push(messageAt(cursor));
    }
    return null;
  } catch (error) {
    if (!ConnectorError.is(error) || !FAULT_CODES.includes(error.code)) throw error;
    const { topic, partition, offset = NaN, nextOffset = NaN } = error.context;
    if (
      topic !== 'orders' ||
      partition !== 3 ||
      !(offset >= from) ||
      !(nextOffset > offset && nextOffset >= least)
    ) {
      throw new Error(`a wrong context: ${JSON.stringify(error.context)}`, { cause: error });
    }
    return { code: error.code, offset, nextOffset };
  }
}
