import type { Capture, FetchVersion } from './captured';

export interface WalkedAnswer extends Pick<Capture, 'errorCode' | 'highWatermark' | 'endsAt' | 'isCut'> {
  readonly recordsBytes: number;
}

/** The little that a capture tells of an answer beside its bytes: read from the head, offsets and sizes alone. */
export function walkAnswer(body: Buffer, fetchVersion: FetchVersion): WalkedAnswer {
  let at = 0;
  const skip = (sizeBytes: number): number => (at += sizeBytes) - sizeBytes;
  if (fetchVersion >= 1) skip(4); // throttle time
  if (fetchVersion >= 7) skip(6); // error, session
  skip(4); // one topic
  skip(2 + body.readInt16BE(at));
  skip(8); // one partition, its number
  const errorCode = body.readInt16BE(skip(2));
  const highWatermark = Number(body.readBigInt64BE(skip(8)));
  if (fetchVersion >= 4) skip(8); // last stable offset
  if (fetchVersion >= 5) skip(8); // start of the log
  if (fetchVersion >= 4) skip(16 * Math.max(body.readInt32BE(skip(4)), 0)); // aborted transactions
  const recordsBytes = Math.max(body.readInt32BE(skip(4)), 0);
  const end = at + recordsBytes;
  if (end !== body.length) throw new Error(`the answer has ${body.length} bytes, its layout ends at ${end}`);
  let endsAt: number | null = null;
  while (end - at >= 12 && at + 12 + body.readInt32BE(at + 8) <= end) {
    const format = body.readInt8(at + 16);
    const offset = Number(body.readBigInt64BE(at));
    endsAt = offset + 1 + (format === 2 ? body.readInt32BE(at + 23) : 0);
    at += 12 + body.readInt32BE(at + 8);
  }
  return { errorCode, highWatermark, endsAt, isCut: at < end, recordsBytes };
}
