import type { AbortedTransaction, FetchAnswer, SpecFetchVersion } from './fetchAnswer';
import { SlowReader, Unreadable } from './SlowReader';

const MOST_EXACT = BigInt(Number.MAX_SAFE_INTEGER);

/** The connector's numbers are exact, or there is no answer. */
function exactInt64(reader: SlowReader): bigint {
  const value = reader.int(8);
  if (value > MOST_EXACT || value < -MOST_EXACT) throw new Unreadable('a number beyond 2^53-1');
  return value;
}

function list<T>(reader: SlowReader, isNullable: boolean, read: () => T): T[] | null {
  const count = reader.int(4);
  if (count === -1n && isNullable) return null;
  if (count < 0n) throw new Unreadable(`${count} entries`);
  const entries: T[] = [];
  for (let n = 0n; n < count; n += 1n) entries.push(read());
  return entries;
}

function aborted(reader: SlowReader): AbortedTransaction[] | null {
  return list(reader, true, () => ({ producerId: exactInt64(reader), firstOffset: exactInt64(reader) }));
}

/** What the body of an answer to a fetch says; throws Unreadable if it has another layout. */
export function readAnswer(version: SpecFetchVersion, body: Buffer): FetchAnswer {
  const reader = new SlowReader(body);
  const throttleMs = version >= 1 ? Number(reader.int(4)) : 0;
  const errorCode = version >= 7 ? Number(reader.int(2)) : 0;
  const sessionId = version >= 7 ? Number(reader.int(4)) : 0;
  const topics = list(reader, false, () => {
    const topic = reader.take(reader.int(2)).toString('utf8');
    const partitions = list(reader, false, () => ({
      partition: Number(reader.int(4)),
      errorCode: Number(reader.int(2)),
      highWatermark: exactInt64(reader),
      lastStableOffset: version >= 4 ? exactInt64(reader) : -1n,
      logStartOffset: version >= 5 ? exactInt64(reader) : -1n,
      aborted: version >= 4 ? aborted(reader) : null,
      records: reader.sized(reader.int(4)),
    }));
    return { topic, partitions: partitions ?? [] };
  });
  if (reader.left > 0) throw new Unreadable('bytes behind the answer');
  return { version, throttleMs, errorCode, sessionId, topics: topics ?? [] };
}
