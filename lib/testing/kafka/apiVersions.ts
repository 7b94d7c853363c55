import { type Generation, GENERATIONS } from './Generation';
import type { Api, RequestHeader } from './protocol/Api';
import { apiVersions } from './protocol/apiVersions';
import { describeGroups } from './protocol/describeGroups';
import { fetch } from './protocol/fetch';
import { findCoordinator } from './protocol/findCoordinator';
import { heartbeat } from './protocol/heartbeat';
import { initProducerId } from './protocol/initProducerId';
import { joinGroup } from './protocol/joinGroup';
import { leaveGroup } from './protocol/leaveGroup';
import { listGroups } from './protocol/listGroups';
import { listOffsets } from './protocol/listOffsets';
import { metadata } from './protocol/metadata';
import { offsetCommit } from './protocol/offsetCommit';
import { offsetFetch } from './protocol/offsetFetch';
import { produce } from './protocol/produce';
import { syncGroup } from './protocol/syncGroup';

export interface VersionRange {
  readonly min: number;
  readonly max: number;
}

/**
 * What becomes of a request. A number is the version in whose layout it is read and answered. Otherwise there is no
 * answer of its own: `close` ends the connection, `silent` leaves it open without an answer, so that a later request
 * is answered, and `unsupported` is error 35 in version 0 of ApiVersions.
 */
export type Reading = number | 'close' | 'silent' | 'unsupported';

type Known = Pick<Api<unknown, never>, 'key' | 'flexibleSince'>;

const NONE = -1;

/** The newest version of each, in the order of the generations. The oldest is 0 in all of them. */
const NEWEST: readonly (readonly [Known, ...number[]])[] = [
  [produce, 0, 1, 2, 5, 11],
  [fetch, 0, 1, 3, 7, 17],
  [listOffsets, 0, 0, 1, 2, 9],
  [metadata, 0, 0, 2, 5, 12],
  [offsetCommit, 1, 2, 2, 3, 9],
  [offsetFetch, 1, 1, 2, 3, 9],
  [findCoordinator, 0, 0, 0, 1, 6],
  [joinGroup, NONE, 0, 1, 2, 9],
  [heartbeat, NONE, 0, 0, 1, 4],
  [leaveGroup, NONE, 0, 0, 1, 5],
  [syncGroup, NONE, 0, 0, 1, 5],
  [describeGroups, NONE, 0, 0, 1, 5],
  [listGroups, NONE, 0, 0, 1, 5],
  [apiVersions, NONE, NONE, 0, 1, 4],
  [initProducerId, NONE, NONE, NONE, 0, 5],
];

const VERSIONS: ReadonlyMap<Generation, ReadonlyMap<number, VersionRange>> = new Map(
  GENERATIONS.map((generation, column) => [
    generation,
    new Map(
      NEWEST.map(([{ key }, ...newest]) => [key, { min: 0, max: newest[column] ?? NONE }] as const).filter(
        ([, { max }]) => max !== NONE,
      ),
    ),
  ]),
);

/** Requests whose version the old brokers did not look at: they read any version as the newest they knew. */
const READ_IN_ANY_VERSION: Partial<Record<Generation, ReadonlySet<number>>> = {
  '0.8': keysOf(produce, fetch, listOffsets, metadata, offsetFetch, findCoordinator),
  '0.9': keysOf(produce, fetch, listOffsets, metadata, offsetFetch),
};

function keysOf(...apis: readonly Known[]): ReadonlySet<number> {
  return new Set(apis.map(({ key }) => key));
}

/**
 * By API key, the versions that a release knows, of the requests that an embedded broker answers. From 0.10.2 on they
 * are what the release tells in its answer to ApiVersions. 0.8 and 0.9 do not answer that; theirs are the versions that
 * differ in what is read or answered. Version 1 of OffsetFetch has the layout of version 0, but other offsets.
 */
export function versionsOf(generation: Generation): ReadonlyMap<number, VersionRange> {
  return VERSIONS.get(generation) ?? new Map<number, VersionRange>();
}

/**
 * What a release does with a request of this key and version:
 * - 0.8 closes the connection at a key that it does not know, and at versions of OffsetCommit above 1. It reads any
 *   other request as its newest version, so most of the newer ones end as unreadable, and some are misread. (Heartbeat
 *   it answers with error -1. No client of its time sends that, so here it is unknown.)
 * - 0.9 does the same with five kinds of requests, and is silent for all others that it does not know.
 * - Later ones close the connection, except for ApiVersions, which is answered as unsupported: with no versions at all,
 *   or in 3.9 with the range of ApiVersions itself.
 */
export function readingOf(
  generation: Generation,
  { apiKey, version }: Pick<RequestHeader, 'apiKey' | 'version'>,
): Reading {
  const known = versionsOf(generation).get(apiKey);
  if (known === undefined) return onUnreadable(generation);
  if (version >= known.min && version <= known.max) return version;
  if (READ_IN_ANY_VERSION[generation]?.has(apiKey) === true) return known.max;
  return apiKey === apiVersions.key ? 'unsupported' : onUnreadable(generation);
}

/**
 * What a release does with a request that cannot be read to its end, or is shorter than a header: 0.9 logs it and goes
 * on with the connection, all others close it. All close it at a length that is negative, or above
 * socket.request.max.bytes.
 */
export function onUnreadable(generation: Generation): 'close' | 'silent' {
  return generation === '0.9' ? 'silent' : 'close';
}

/**
 * First version of a request whose header has tagged fields, as readHeader wants to know it. Infinity for releases
 * without such versions: they take the tagged fields of a newer client for the beginning of the body.
 */
export function flexibleSinceOf(generation: Generation, apiKey: number): number {
  if (generation !== '3.9') return Infinity;
  return NEWEST.find(([{ key }]) => key === apiKey)?.[0].flexibleSince ?? Infinity;
}
