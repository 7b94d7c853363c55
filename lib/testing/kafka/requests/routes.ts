import { groupRoutes } from '../groups/groupRoutes';
import { apiVersionsRoute } from './apiVersions';
import { fetchRoute } from './fetch';
import { initProducerIdRoute } from './initProducerId';
import { listOffsetsRoute } from './listOffsets';
import { metadataRoute } from './metadata';
import { produceRoute } from './produce';
import type { Route } from './Route';

const ALL = [
  ...[produceRoute, fetchRoute, listOffsetsRoute, metadataRoute, apiVersionsRoute, initProducerIdRoute],
  ...groupRoutes,
];

/** All requests that are answered, by API key. What one of them reads is what it handles, whatever that is. */
export const ROUTES: ReadonlyMap<number, Route<unknown, unknown>> = new Map(
  ALL.map((one): [number, Route<unknown, unknown>] => [one.api.key, one]),
);
