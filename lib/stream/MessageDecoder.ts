import { ConnectorError } from '../errors';
import type { DecodedField, Decoder, Message, StreamOptions } from '../types';
import type { MessageChunk } from './BlockingQueue';
import { decoders } from './decoders';

/** Makes the application's messages of what a chunk's cursor stands on. */
export class MessageDecoder<K, V> {
  /** undefined: the bytes are handed out as they are, which is worth a way of its own. */
  readonly #key: Decoder<K> | undefined;
  readonly #value: Decoder<V> | undefined;

  constructor({ keyDecoder, valueDecoder }: StreamOptions<K, V>) {
    this.#key = keyDecoder === (decoders.view as unknown) ? undefined : keyDecoder;
    this.#value = valueDecoder === (decoders.view as unknown) ? undefined : valueDecoder;
  }

  decode({ info, cursor }: MessageChunk): Message<K, V> {
    const { offset, key, value } = cursor;
    const { topic, partition } = info;
    return {
      topic,
      partition,
      offset,
      // Without a decoder K and V are Buffer.
      key:
        key === null || this.#key === undefined
          ? (key as K | null)
          : decodeField(this.#key, key, { topic, partition, offset, field: 'key' }),
      value:
        value === null || this.#value === undefined
          ? (value as V | null)
          : decodeField(this.#value, value, { topic, partition, offset, field: 'value' }),
      highWatermark: info.highWatermark,
      timestamp: cursor.timestamp,
      timestampType: cursor.timestampType,
      headers: cursor.headers,
    };
  }
}

function decodeField<T>(decoder: Decoder<T>, bytes: Buffer, at: DecodedField): T {
  try {
    return decoder(bytes, at);
  } catch (cause) {
    const { topic, partition, offset, field } = at;
    throw new ConnectorError(
      'DECODE_FAILED',
      `the ${field} decoder threw at ${topic}/${partition}, offset ${offset}: ${thrownText(cause)}; ` +
        'mend the decoder, or seek to nextOffset to go on behind the message',
      { topic, partition, offset, nextOffset: offset + 1, cause },
    );
  }
}

/** Anything can be thrown, also what has no text. */
function thrownText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'something that cannot be shown';
  }
}
