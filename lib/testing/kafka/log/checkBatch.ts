import { AppendRefusal } from './AppendRefusal';
import type { MessageFormat } from './entryLayout';
import type { BatchHeader } from './recordBatch';

/**
 * What the header of a client's batch has to be. Throws AppendRefusal; for transactional batches with 'INVALID_TXN_STATE', since
 * there are no transactions here.
 */
export function checkBatch(header: BatchHeader, logFormat: MessageFormat): void {
  const { baseOffset, lastOffset, count, producerId, baseSequence } = header;
  if (count <= 0 || lastOffset - baseOffset + 1 !== count) {
    throw new AppendRefusal('INVALID_RECORD', `${count} records for offsets ${baseOffset} to ${lastOffset}`);
  }
  const hasProducer = producerId >= 0;
  if (hasProducer && baseSequence < 0) throw new AppendRefusal('INVALID_RECORD', `sequence ${baseSequence}`);
  if (header.isControl) throw new AppendRefusal('INVALID_RECORD', 'clients write no control records');
  if (logFormat < 2 && (header.isTransactional || hasProducer)) {
    throw new AppendRefusal('UNSUPPORTED_FOR_MESSAGE_FORMAT', 'idempotence needs format 2');
  }
  if (header.isTransactional) throw new AppendRefusal('INVALID_TXN_STATE', 'there are no transactions');
}
