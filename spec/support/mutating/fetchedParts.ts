const FETCH = 1;
/* Of a request, behind its length. */
const API_AT = 4;
const VERSION_AT = 6;
const CLIENT_ID_AT = 12;
/** Behind the length and the correlation id. */
const BODY_AT = 8;

/** Where the parts of one partition are in an answer to a fetch. */
export interface FetchedPart {
  readonly errorAt: number;
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
  const parts: FetchedPart[] = [];
  let at = BODY_AT + (request.readInt16BE(VERSION_AT) >= 1 ? 4 : 0);
  const count = (): number => {
    at += 4;
    return frame.readInt32BE(at - 4);
  };
  for (let topics = count(); topics > 0; topics -= 1) {
    at += 2 + frame.readInt16BE(at);
    for (let partitions = count(); partitions > 0; partitions -= 1) {
      // Number of the partition, error, high watermark, size, records.
      const [errorAt, sizeAt, recordsAt] = [at + 4, at + 14, at + 18];
      at = recordsAt + Math.max(0, frame.readInt32BE(sizeAt));
      parts.push({ errorAt, sizeAt, recordsAt, end: at });
    }
  }
  return parts;
}
