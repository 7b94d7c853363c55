const FETCH = 1;
/* Of a request, behind its length. */
const API_AT = 4;
const VERSION_AT = 6;
const CLIENT_ID_AT = 12;
/** Behind the length and the correlation id. */
const BODY_AT = 8;
/** Producer id and first offset. */
const ABORTED_BYTES = 16;

/** Where the parts of one partition are in an answer to a fetch. */
export interface FetchedPart {
  readonly errorAt: number;
  /** Where the count of aborted transactions is; null before version 4. */
  readonly abortedAt: number | null;
  readonly sizeAt: number;
  readonly recordsAt: number;
  readonly end: number;
}

export function apiOf(request: Buffer | null): number | null {
  return request === null ? null : request.readInt16BE(API_AT);
}

/** Who asks; null in a request that has no such name. */
export function clientIdOf(request: Buffer | null): string | null {
  if (request === null) return null;
  const sizeBytes = request.readInt16BE(CLIENT_ID_AT);
  return sizeBytes < 0 ? null : request.toString('utf8', CLIENT_ID_AT + 2, CLIENT_ID_AT + 2 + sizeBytes);
}

/** Both with their lengths in front; nothing if this is no answer to a fetch. */
export function fetchedParts(frame: Buffer, request: Buffer | null): FetchedPart[] {
  if (request === null || apiOf(request) !== FETCH) return [];
  const version = request.readInt16BE(VERSION_AT);
  const since = (first: number, sizeBytes: number): number => (version >= first ? sizeBytes : 0);
  const parts: FetchedPart[] = [];
  // Throttle time; error and session.
  let at = BODY_AT + since(1, 4) + since(7, 6);
  const count = (): number => {
    at += 4;
    return frame.readInt32BE(at - 4);
  };
  for (let topics = count(); topics > 0; topics -= 1) {
    at += 2 + frame.readInt16BE(at);
    for (let partitions = count(); partitions > 0; partitions -= 1) {
      const errorAt = at + 4;
      // Number of the partition, error, high watermark; last stable offset; start of the log.
      at += 14 + since(4, 8) + since(5, 8);
      const abortedAt = version >= 4 ? at : null;
      const abortedCount = version >= 4 ? count() : 0;
      at += ABORTED_BYTES * Math.max(0, abortedCount);
      const [sizeAt, recordsAt] = [at, at + 4];
      at = recordsAt + Math.max(0, frame.readInt32BE(sizeAt));
      parts.push({ errorAt, abortedAt, sizeAt, recordsAt, end: at });
    }
  }
  return parts;
}
