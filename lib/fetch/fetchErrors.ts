import { ConnectorError } from '../errors';
import {
  CORRUPT_MESSAGE,
  TOPIC_AUTHORIZATION_FAILED,
  UNSUPPORTED_COMPRESSION_TYPE,
  UNSUPPORTED_VERSION,
} from '../kafka/errorCodes';
import { errorName } from '../kafka/errorNames';
import { lastOffsetOfCut } from '../kafka/records/messageSet';
import type { TopicPartition } from '../types';

/** The broker has refused a fetch as a whole. */
export function fetchFailure(code: number, broker: string): ConnectorError {
  return new ConnectorError(
    'BROKER_UNREACHABLE',
    `broker ${broker} answered a fetch with ${errorName(code)}`,
    { broker, brokerCode: code },
  );
}

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
        `the broker keeps the messages of ${at} back: they are compressed in zstd, for which it wants Fetch v10. All brokers with ` +
          'zstd (Kafka 2.1 and later) have that version, and it is used where the broker says so: look for what hides its ' +
          'versions (ApiVersions), a proxy or a broker that hung when it was asked. nextOffset is one message on, and the ' +
          'answer is the same up to the end of the compressed batch',
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

/** Not one whole message (or compressed batch) fits into the largest fetch that the settings allow; `cut` is its beginning. */
export function tooLarge(
  { topic, partition }: TopicPartition,
  offset: number,
  cut: Buffer,
  needsBytes: number,
  limitBytes: number,
): ConnectorError {
  const size = needsBytes > 0 ? `needs ${needsBytes} bytes` : 'does not fit';
  return new ConnectorError(
    'MESSAGE_TOO_LARGE',
    `the message or batch at ${topic}/${partition} offset ${offset} ${size}, more than fetch.max.bytes (${limitBytes}); ` +
      'raise fetch.max.bytes, or seek to nextOffset to go on behind it',
    { topic, partition, offset, nextOffset: Math.max(offset, lastOffsetOfCut(cut)) + 1 },
  );
}
