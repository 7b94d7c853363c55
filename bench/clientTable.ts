import type { Codec } from './cells';
import type { Job } from './clients/job';

export const CLIENT_NAMES = [
  'connector-batches',
  'connector-await',
  'bare',
  'bare-await',
  'java',
  'kafkajs',
  'kafka-node',
] as const;

export type ClientName = (typeof CLIENT_NAMES)[number];

export interface Client {
  readonly name: ClientName;
  /** For the tables. */
  readonly title: string;
  /** A file in clients/, or the class in java/. */
  readonly program: 'connector' | 'bare' | 'java' | 'kafkajs' | 'kafkaNode';
  readonly delivery: Job['delivery'];
  /** What part of a cell's messages it reads: a slow client would take minutes for all. */
  readonly share: number;
  /** Codecs that it reads without native packages; for the others its cell says so. */
  readonly codecs: readonly Codec[];
}

const ALL: readonly Codec[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

export const CLIENTS: readonly Client[] = [
  {
    name: 'connector-batches',
    title: 'connector, batches()',
    program: 'connector',
    delivery: 'batches',
    share: 1,
    codecs: ALL,
  },
  {
    name: 'connector-await',
    title: 'connector, for await',
    program: 'connector',
    delivery: 'messages',
    share: 1,
    codecs: ALL,
  },
  { name: 'bare', title: 'bare loop', program: 'bare', delivery: 'batches', share: 1, codecs: ALL },
  {
    name: 'bare-await',
    title: 'bare loop, one await a message',
    program: 'bare',
    delivery: 'messages',
    share: 1,
    codecs: ALL,
  },
  {
    name: 'java',
    title: 'KafkaConsumer (Java)',
    program: 'java',
    delivery: 'batches',
    share: 1,
    codecs: ALL,
  },
  {
    name: 'kafkajs',
    title: 'kafkajs, eachBatch',
    program: 'kafkajs',
    delivery: 'batches',
    share: 0.25,
    codecs: ['none', 'gzip', 'snappy'], // kafkajs-snappy is plain JavaScript
  },
  {
    name: 'kafka-node',
    title: 'kafka-node 5, ConsumerGroup',
    program: 'kafkaNode',
    delivery: 'messages',
    share: 0.1,
    codecs: ['none', 'gzip'], // its snappy is a native package
  },
];

/** Whole messages, at least one. */
export function messagesFor(client: Client, cellMessages: number): number {
  return Math.max(1, Math.round(cellMessages * client.share));
}
