import { readFileSync } from 'node:fs';
import path from 'node:path';

const FILE = path.resolve(__dirname, '../../fixtures/testing/kafkaSchemas.json');

/** A layout that some versions of a request or an answer share. */
export interface KafkaLayout {
  readonly first: number;
  readonly last: number;
  /** Fields with their types, tagged ones in angle brackets. */
  readonly fields: string;
  /** A body in base64, of the first of these versions, as Kafka writes it. */
  readonly sample: string;
}

/** Requests and answers of one kind, as Kafka 3.9.1 describes them itself; KafkaSchemas.java printed them. */
export interface KafkaSchema {
  readonly key: number;
  readonly name: string;
  /** One digit for each version: the version of the header that goes with it. */
  readonly requestHeaders: string;
  readonly answerHeaders: string;
  readonly request: readonly KafkaLayout[];
  readonly answer: readonly KafkaLayout[];
}

export function kafkaSchemas(): readonly KafkaSchema[] {
  return JSON.parse(readFileSync(FILE, 'utf8')) as KafkaSchema[];
}
