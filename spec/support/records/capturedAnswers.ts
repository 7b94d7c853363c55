import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { CapturedTopic } from '../capture/captured';
import { readAnswer } from './readAnswer';
import type { Sample } from './sampleAnswers';

const FOLDER = path.resolve(__dirname, '../../fixtures/fetch');

/** All files of captured answers. */
export function capturedTopics(): CapturedTopic[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as CapturedTopic);
}

/** Answers of real brokers, of each version and with each codec. */
export function capturedAnswers(): Sample[] {
  return capturedTopics().flatMap(({ kafka, topic, captures }) =>
    captures.flatMap(({ fetchVersions, offset, body }) =>
      fetchVersions.map((version): Sample => {
        const answer = readAnswer(version, Buffer.from(body, 'base64'));
        return { name: `Kafka ${kafka}, ${topic}: Fetch v${version} at ${offset}`, answer };
      }),
    ),
  );
}
