import type { KafkaRequest } from '../../../../lib/kafka/wire';
import { bytes } from './bytes';
import { frame, type Handler } from './FakeBroker';

/** Asks for so many bytes. */
export function blobRequest(sizeBytes: number): KafkaRequest<Buffer> {
  return {
    ...{ apiKey: 1, apiVersion: 0, name: 'Blob v0' },
    write: (writer) => writer.int32(sizeBytes),
    read: (reader) => reader.bytes(),
  };
}

/** What `blobRequest` is answered with: no byte is as the one before. */
export function blob(sizeBytes: number): Buffer {
  return Buffer.from(
    Uint32Array.from({ length: Math.ceil(sizeBytes / 4) }, (_, n) => n * 2_654_435_761).buffer,
  ).subarray(0, sizeBytes);
}

export const answerBlob: Handler = ({ socket, correlationId, body }) => {
  socket.write(frame(correlationId, bytes(blob(body.readInt32BE(0)))));
};
