import { ConnectorError } from '../errors';
import {
  CORRUPT_MESSAGE,
  errorName,
  TOPIC_AUTHORIZATION_FAILED,
  UNSUPPORTED_COMPRESSION_TYPE,
  UNSUPPORTED_VERSION,
} from '../kafka/errorCodes';
import type { TopicPartition } from '../types';

/**
 * What a partition's error code in a fetch answer means. A retriable one (most are: the leader moved, the broker starts
 * or stops) sends the partition back to the leader finder; the others stop it with an error on its stream.
 */
export function partitionFailure(
  { topic, partition }: TopicPartition,
  offset: number | null,
  code: number,
  broker: string,
): ConnectorError {
  const at = `${topic}/${partition} at offset ${offset ?? '(not known yet)'} from ${broker}`;
  const context = { topic, partition, broker, brokerCode: code };
  const skip = offset === null ? context : { ...context, offset, nextOffset: offset + 1 };
  switch (code) {
    case CORRUPT_MESSAGE:
      return new ConnectorError('MESSAGE_CORRUPT', `the broker has a corrupt message in ${at}`, skip);
    case UNSUPPORTED_COMPRESSION_TYPE:
      return new ConnectorError(
        'CODEC_UNSUPPORTED',
        `the broker cannot give messages of ${at} to this client: their codec (zstd) needs a newer fetch version`,
        skip,
      );
    case UNSUPPORTED_VERSION:
      return new ConnectorError(
        'FORMAT_UNSUPPORTED',
        `the broker cannot convert the messages of ${at}`,
        skip,
      );
    case TOPIC_AUTHORIZATION_FAILED:
      return new ConnectorError(
        'BROKER_ERROR',
        `reading ${at} is not allowed (TOPIC_AUTHORIZATION_FAILED): the client needs the Read right for the topic`,
        context,
      );
    default:
      return new ConnectorError('BROKER_UNREACHABLE', `fetching ${at} answered ${errorName(code)}`, context);
  }
}

/** Not one whole message (or compressed batch) fits into the largest fetch that the settings allow. */
export function tooLarge(
  { topic, partition }: TopicPartition,
  offset: number,
  records: Buffer,
  needsBytes: number,
  limitBytes: number,
): ConnectorError {
  // The first 8 bytes are the offset of what was cut off; a compressed batch has that of its last message.
  const cutOffset = records.length >= 8 ? Number(records.readBigInt64BE(0)) : offset;
  const size = needsBytes > 0 ? `needs ${needsBytes} bytes` : 'does not fit';
  return new ConnectorError(
    'MESSAGE_TOO_LARGE',
    `the message or batch at ${topic}/${partition} offset ${offset} ${size}, more than fetch.max.bytes (${limitBytes}); ` +
      'raise fetch.max.bytes, or seek to nextOffset to go on behind it',
    { topic, partition, offset, nextOffset: Math.max(offset, cutOffset) + 1 },
  );
}
