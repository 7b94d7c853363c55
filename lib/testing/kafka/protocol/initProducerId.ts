import type { Api } from './Api';
import { field, struct } from './struct';
import { int16, int32, int64, nullableString } from './types';

const request = struct({
  transactionalId: field(nullableString, { fallback: '' }),
  transactionTimeoutMs: field(int32),
  producerId: field(int64, { since: 3, fallback: -1 }),
  producerEpoch: field(int16, { since: 3, fallback: -1 }),
});

const answer = struct({
  throttleTimeMs: field(int32),
  errorCode: field(int16),
  producerId: field(int64, { fallback: -1 }),
  producerEpoch: field(int16),
});

/** Gives an idempotent producer its id. */
export const initProducerId = {
  key: 22,
  name: 'InitProducerId',
  flexibleSince: 2,
  request,
  answer,
} satisfies Api<unknown, never>;
