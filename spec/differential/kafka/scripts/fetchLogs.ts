import { createHash } from 'node:crypto';

import { GZIP, LZ4, SNAPPY, ZSTD } from '../../../support/records/compress';
import type { SpecHeader } from '../../../support/records/encodeBatch';
import type { Fields } from '../definitions/messageDefinition';
import { compressedFields, isRecompressed } from '../records/compressedFields';
import { recordSet, someMessages, type Format } from '../records/sets';
import type { Script } from '../script';
import type { Stage } from '../Stage';
import { produceFields } from './produce';
import { createTopic, learnTopicId } from '../topics';

const NO_CODEC = 0;
const SETS = 3;
const MESSAGES = 4;
const ALL_BYTES = 200_000;

/** Where to fetch; the rest is what a consumer asks for. */
export interface FetchOptions {
  readonly partition?: number;
  readonly maxBytes?: number;
  readonly more?: Fields;
}

export function fetchFields(
  topic: string,
  topicId: string,
  fetchOffset: number | bigint,
  { partition = 0, maxBytes = ALL_BYTES, more = {} }: FetchOptions = {},
): Fields {
  const partitions = [{ partition, fetchOffset, partitionMaxBytes: maxBytes }];
  return {
    maxWaitMs: 0,
    minBytes: 0,
    maxBytes: ALL_BYTES,
    topics: [{ topic, topicId, partitions }],
    ...more,
  };
}

/** The newest format that an answer of this version may have. */
function formatOfFetch(version: number): Format {
  return version < 2 ? 0 : version < 4 ? 1 : 2;
}

/**
 * Sets of four messages each, written in the newest format. None of them gets larger in an older one: a broker that converts
 * cuts what has no room then.
 */
export async function fillTopic(stage: Stage, topic: string, codec: number, sets = SETS): Promise<void> {
  for (let index = 0; index < sets; index++) {
    const messages = someMessages(MESSAGES, index * MESSAGES).map((message) => ({
      ...message,
      headers: [padding(index)],
    }));
    const records = recordSet(stage.release.format, messages, { codec });
    await stage.look(1, 'Produce', stage.newest('Produce'), produceFields(topic, [[0, records]], -1));
  }
}

/** Nothing that gets any smaller, and that older formats have no place for. */
function padding(index: number): SpecHeader {
  return { key: 'padding', value: createHash('sha256').update(String(index)).digest() };
}

async function run(stage: Stage): Promise<void> {
  const codecs = [
    ['none', NO_CODEC],
    ['gzip', GZIP],
    ['snappy', SNAPPY],
    ['lz4', LZ4],
    ['zstd', ZSTD],
  ] as const;
  for (const [name, codec] of codecs) {
    if (codec === ZSTD && stage.release.format < 2) continue;
    const topic = `fetch-${name}`;
    await createTopic(stage, topic);
    await fillTopic(stage, topic, codec);
    const topicId = await learnTopicId(stage, topic);
    for (const version of stage.versions('Fetch')) {
      for (const offset of [0, 1, 5, MESSAGES * SETS - 1, MESSAGES * SETS]) {
        await stage.ask(1, 'Fetch', version, fetchFields(topic, topicId, offset), {
          note: `${name} from ${offset}`,
          ...(isRecompressed(stage.release, formatOfFetch(version)) && { arrange: compressedFields }),
        });
      }
      if (codec === NO_CODEC) await smallOnes(stage, version, topic, topicId);
    }
  }
  await headers(stage);
}

/** So few bytes that an entry is cut, or that the first one would be. */
async function smallOnes(stage: Stage, version: number, topic: string, topicId: string): Promise<void> {
  for (const maxBytes of [0, 1, 11, 30, 100, 150, 350, 600]) {
    for (const fetchOffset of [0, 5]) {
      const note = `${maxBytes} bytes from ${fetchOffset}`;
      await stage.ask(1, 'Fetch', version, fetchFields(topic, topicId, fetchOffset, { maxBytes }), { note });
      if (version < 3) continue;
      const more = { maxBytes };
      const whole = fetchFields(topic, topicId, fetchOffset, { more });
      await stage.ask(1, 'Fetch', version, whole, { note: `${note}, of the whole answer` });
    }
  }
}

/** What older formats have no place for. */
async function headers(stage: Stage): Promise<void> {
  if (stage.release.format < 2) return;
  const topic = 'fetch-headers';
  const topicId = await createTopic(stage, topic);
  const records = recordSet(2, [
    { key: 'k', value: 'v', headers: [{ key: 'trace', value: Buffer.from('1') }] },
    { value: null, headers: [{ key: '', value: null }], later: -500 },
  ]);
  await stage.look(1, 'Produce', stage.newest('Produce'), produceFields(topic, [[0, records]]));
  for (const version of stage.versions('Fetch')) {
    for (const offset of [0, 1]) {
      const note = `headers from ${offset}`;
      await stage.ask(1, 'Fetch', version, fetchFields(topic, topicId, offset), { note });
    }
  }
}

export const fetchLogs: Script = { subject: 'Fetch of logs', run };
