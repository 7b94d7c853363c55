import { ProtocolReader } from './ProtocolReader';
import { ProtocolWriter } from './ProtocolWriter';
import type { Readable, Writable } from './types';

/** One kind of request with its answer, in all versions that are known here. */
export interface Api<Q, A> {
  /** As in Kafka's protocol: Produce is 0, Fetch is 1. */
  readonly key: number;
  readonly name: string;
  /** First version with compact lengths and tagged fields; Infinity if there is none. */
  readonly flexibleSince: number;
  readonly request: Readable<Q>;
  readonly answer: Writable<A>;
}

/** What stands in front of each request. */
export interface RequestHeader {
  readonly apiKey: number;
  readonly version: number;
  readonly correlationId: number;
  readonly clientId: string | null;
}

/** The header, and the reader where the body begins. Tagged fields of the header are read over. */
export function readHeader(
  frame: Buffer,
  flexibleSinceOf: (apiKey: number) => number,
): { header: RequestHeader; body: Buffer } {
  const reader = new ProtocolReader(frame);
  const apiKey = reader.int16();
  const version = reader.int16();
  const correlationId = reader.int32();
  const clientBytes = reader.int16();
  const clientId = clientBytes < 0 ? null : reader.raw(clientBytes).toString('utf8');
  if (version >= flexibleSinceOf(apiKey)) {
    for (let left = reader.unsignedVarint(); left > 0; left--) {
      reader.unsignedVarint();
      reader.raw(reader.unsignedVarint());
    }
  }
  return { header: { apiKey, version, correlationId, clientId }, body: reader.raw(reader.remainingBytes) };
}

export function readRequest<Q, A>(api: Api<Q, A>, version: number, body: Buffer): Q {
  return api.request.read(new ProtocolReader(body, version, version >= api.flexibleSince));
}

/** The whole answer frame, without its length. */
export function writeAnswer<Q, A>(
  api: Api<Q, A>,
  { version, correlationId }: Pick<RequestHeader, 'version' | 'correlationId'>,
  answer: A,
): Buffer {
  const isFlexible = version >= api.flexibleSince;
  const writer = new ProtocolWriter(version, isFlexible);
  writer.int32(correlationId);
  // The answer to ApiVersions has the old header for ever: it is read by clients that do not know the versions yet.
  if (isFlexible && api.key !== 18) writer.unsignedVarint(0);
  api.answer.write(writer, answer);
  return writer.toBuffer();
}
