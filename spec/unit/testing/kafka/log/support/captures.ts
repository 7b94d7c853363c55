import { createHash } from 'node:crypto';
import type { Generation } from '../../../../../../lib/testing/kafka/Generation';
import type { MessageFormat } from '../../../../../../lib/testing/kafka/log/PartitionLog';
import { zstd } from '../../../../../../lib/kafka/compression/zstd';
import type { CapturedTopic, FetchVersion } from '../../../../../support/capture/captured';
import { capturedTopics } from '../../../../../support/records/capturedAnswers';
import { readAnswer } from '../../../../../support/records/readAnswer';
import { decodeByReference } from '../../../../../support/records/referenceDecoder';

const GENERATION_OF: Readonly<Record<string, Generation>> = {
  '0.8.2.2': '0.8',
  '0.9.0.1': '0.9',
  '0.10.2.2': '0.10.2',
  '1.1.1': '1.1',
  '3.9.1': '3.9',
};

/** One answer of a real broker. */
export interface CapturedRead {
  readonly fetchVersion: FetchVersion;
  readonly isolation: 'read_committed' | null;
  readonly offset: number;
  readonly maxBytes: number;
  readonly errorCode: number;
  readonly records: Buffer;
}

export interface CapturedLog {
  readonly name: string;
  readonly generation: Generation;
  readonly scenario: string;
  readonly codec: string;
  readonly reads: readonly CapturedRead[];
}

/** What real brokers of the generations answered, of releases that are stood in for. */
export function capturedLogs(): CapturedLog[] {
  return capturedTopics().flatMap((topic) => {
    const generation = GENERATION_OF[topic.kafka];
    if (generation === undefined) return [];
    const { kafka, topic: name, scenario, codec } = topic;
    return [{ name: `${kafka}, ${name}`, generation, scenario, codec, reads: readsOf(topic) }];
  });
}

function readsOf({ captures }: CapturedTopic): CapturedRead[] {
  return captures.flatMap(({ fetchVersions, isolation = null, offset, maxBytes, errorCode, body }) =>
    fetchVersions.map((fetchVersion) => {
      const answer = readAnswer(fetchVersion, Buffer.from(body, 'base64'));
      const records = answer.topics[0]?.partitions[0]?.records ?? Buffer.alloc(0);
      return { fetchVersion, isolation, offset, maxBytes, errorCode, records };
    }),
  );
}

/** The newest format that a client of that version reads. */
export function formatOf(fetchVersion: FetchVersion): MessageFormat {
  return fetchVersion < 2 ? 0 : fetchVersion < 4 ? 1 : 2;
}

/** What a set says from one offset on, by the specs' own decoder; texts, so that differences can be read. */
export function messagesIn(records: Buffer, fromOffset = 0): string[] {
  const result = decodeByReference(records, {
    fromOffset: BigInt(fromOffset),
    maxInflatedBytes: 10_000_000,
    aborted: [],
    zstd: (bytes, maxBytes) => zstd(bytes, maxBytes),
  });
  if (result.fault !== null) throw new Error(`${result.fault.code}: ${result.fault.why}`);
  return result.messages.map((message) => {
    const { offset, key, value, timestamp, timestampType, headers } = message;
    const shown = headers.map((header) => `${header.key}=${String(header.value)}`);
    return [offset, textOf(key), textOf(value), timestamp, timestampType, ...shown].join(' | ');
  });
}

/** Long bytes are told by their hash. */
export function textOf(bytes: Buffer | null): string {
  if (bytes === null) return 'null';
  if (bytes.length > 100) return `${bytes.length} bytes ${createHash('sha1').update(bytes).digest('hex')}`;
  return JSON.stringify(bytes.toString('latin1'));
}
