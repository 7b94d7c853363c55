import type { Generation } from '../Generation';
import { AppendRefusal, RequestRefusal } from './AppendRefusal';
import { codecOfEntry } from './checkEntries';
import { ZSTD } from './compression/codecs';
import { MAGIC_AT } from './entryLayout';
import { splitEntries } from './splitEntries';

/** From this version of Produce on there is one record batch for each partition, and nothing else. */
const ONE_BATCH_SINCE = 3;
const ZSTD_SINCE = 7;

/**
 * The entries that a Produce request of that version brought. Throws AppendRefusal; where the request as a whole is to blame,
 * RequestRefusal, or RangeError for Kafka 1.1, which finds it while it reads the request and closes the connection.
 */
export function producedEntries(records: Buffer, generation: Generation, produceVersion: number): Buffer[] {
  if (produceVersion < ONE_BATCH_SINCE) return splitEntries(records);
  try {
    const entries = splitEntries(records);
    checkOneBatch(entries, generation, produceVersion);
    return entries;
  } catch (error) {
    if (error instanceof AppendRefusal && generation !== '3.9')
      throw new RangeError(error.message, { cause: error });
    throw error;
  }
}

function checkOneBatch(entries: readonly Buffer[], generation: Generation, produceVersion: number): void {
  const [first] = entries;
  if (first === undefined) throw new RequestRefusal('INVALID_RECORD', 'no batch');
  const format = first.readInt8(MAGIC_AT);
  if (format !== 2) throw new RequestRefusal('INVALID_RECORD', `a batch of format ${format}`);
  if (generation === '3.9' && produceVersion < ZSTD_SINCE && codecOfEntry(first) === ZSTD) {
    throw new RequestRefusal('UNSUPPORTED_COMPRESSION_TYPE', `zstd in version ${produceVersion}`);
  }
  if (entries.length > 1) throw new RequestRefusal('INVALID_RECORD', `${entries.length} batches`);
}
