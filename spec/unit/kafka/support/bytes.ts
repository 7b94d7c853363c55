import { ByteReader, ByteWriter, type KafkaRequest } from '../../../../lib/kafka/wire';
import { int64 } from './encodeMessageSet';

/* Pieces of the protocol, to write answers out by hand. */

export function int8(value: number): Buffer {
  return Buffer.from([value & 0xff]);
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

export { int64 };

export function string(value: string | null): Buffer {
  return value === null ? int16(-1) : Buffer.concat([int16(Buffer.byteLength(value)), Buffer.from(value)]);
}

export function bytes(value: Buffer | null): Buffer {
  return value === null ? int32(-1) : Buffer.concat([int32(value.length), value]);
}

export function array(entries: readonly (readonly Buffer[])[]): Buffer {
  return Buffer.concat([int32(entries.length), ...entries.flat()]);
}

/** The body of a request, as it is sent. */
export function bodyOf(request: KafkaRequest<unknown>): Buffer {
  const writer = new ByteWriter();
  request.write(writer);
  return writer.toBuffer();
}

/** What a request makes of an answer; all of it must be read. */
export function answerOf<T>(request: KafkaRequest<T>, answer: readonly Buffer[]): T {
  const reader = new ByteReader(Buffer.concat(answer), request.name, 'host:9092');
  const result = request.read(reader);
  reader.end();
  return result;
}
