import type { KafkaRequest } from './wire';

/** Versions of one kind of request that a broker takes. */
export interface ApiVersionRange {
  readonly apiKey: number;
  readonly min: number;
  readonly max: number;
}

export interface ApiVersionsAnswer {
  readonly errorCode: number;
  readonly apis: readonly ApiVersionRange[];
}

const API_KEY = 18;

/** Brokers from 0.10.0 answer; older ones close the connection (0.8) or say nothing (0.9). */
export function apiVersionsRequest(): KafkaRequest<ApiVersionsAnswer> {
  return {
    apiKey: API_KEY,
    apiVersion: 0,
    name: 'ApiVersions v0',
    write: () => undefined,
    read: (reader) => ({
      errorCode: reader.int16(),
      apis: reader.array(6, () => ({ apiKey: reader.int16(), min: reader.int16(), max: reader.int16() })),
    }),
  };
}
