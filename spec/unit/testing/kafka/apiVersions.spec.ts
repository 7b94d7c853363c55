import {
  flexibleSinceOf,
  onUnreadable,
  readingOf,
  versionsOf,
} from '../../../../lib/testing/kafka/apiVersions';
import type { Generation } from '../../../../lib/testing/kafka/Generation';
import { ALL_APIS } from '../../../support/testing/allApis';
import { kafkaSchemas } from '../../../support/testing/kafkaSchemas';

/** Key and newest version, as brokers of these releases answered to ApiVersions; all other keys are left out. */
const ANSWERED: [Generation, string][] = [
  ['0.10.2', '0:2 1:3 2:1 3:2 8:2 9:2 10:0 11:1 12:0 13:0 14:0 15:0 16:0 18:0'],
  ['1.1', '0:5 1:7 2:2 3:5 8:3 9:3 10:1 11:2 12:1 13:1 14:1 15:1 16:1 18:1 22:0'],
  ['3.9', '0:11 1:17 2:9 3:12 8:9 9:9 10:6 11:9 12:4 13:5 14:5 15:5 16:5 18:4 22:5'],
];

describe('versionsOf', () => {
  it.each(ANSWERED)('Kafka %s is what its brokers tell', (generation, answered) => {
    const ours = [...versionsOf(generation)].map(([key, { min, max }]) => {
      expect(min).toBe(0);
      return `${key}:${max}`;
    });
    expect(ours.join(' ')).toBe(answered);
  });

  it('3.9 goes to the end of what is known of each request', () => {
    for (const { key, request } of kafkaSchemas()) {
      expect({ key, max: versionsOf('3.9').get(key)?.max }).toEqual({ key, max: request.at(-1)?.last });
    }
  });

  it.each(['0.8', '0.9'] as const)('Kafka %s does not know ApiVersions', (generation) => {
    expect(versionsOf(generation).has(18)).toBe(false);
    expect(versionsOf(generation).has(3)).toBe(true);
  });
});

describe('readingOf', () => {
  // Measured with requests to real brokers.
  it.each<[Generation, string, number, number, number | 'close' | 'silent' | 'unsupported']>([
    ['0.8', 'Fetch', 1, 0, 0],
    ['0.8', 'Fetch', 1, 2, 0],
    ['0.8', 'Metadata', 3, 8, 0],
    ['0.8', 'OffsetFetch', 9, 0, 0],
    ['0.8', 'OffsetFetch', 9, 5, 1],
    ['0.8', 'OffsetCommit', 8, 1, 1],
    ['0.8', 'OffsetCommit', 8, 2, 'close'],
    ['0.8', 'FindCoordinator', 10, 3, 0],
    ['0.8', 'JoinGroup', 11, 0, 'close'],
    ['0.8', 'ApiVersions', 18, 0, 'close'],
    ['0.9', 'Produce', 0, 2, 1],
    ['0.9', 'Fetch', 1, 99, 1],
    ['0.9', 'OffsetCommit', 8, 2, 2],
    ['0.9', 'OffsetCommit', 8, 3, 'silent'],
    ['0.9', 'OffsetFetch', 9, 99, 1],
    ['0.9', 'FindCoordinator', 10, 1, 'silent'],
    ['0.9', 'JoinGroup', 11, 1, 'silent'],
    ['0.9', 'ApiVersions', 18, 0, 'silent'],
    ['0.9', 'a request of a later release', 22, 0, 'silent'],
    ['0.10.2', 'Fetch', 1, 3, 3],
    ['0.10.2', 'Fetch', 1, 4, 'close'],
    ['0.10.2', 'ApiVersions', 18, 3, 'unsupported'],
    ['0.10.2', 'InitProducerId', 22, 0, 'close'],
    ['1.1', 'Produce', 0, -1, 'close'],
    ['1.1', 'ApiVersions', 18, -1, 'unsupported'],
    ['3.9', 'Metadata', 3, 13, 'close'],
    ['3.9', 'ApiVersions', 18, 5, 'unsupported'],
    ['3.9', 'a request of no release', 100, 0, 'close'],
  ])('Kafka %s, %s: key %d in version %d is read as %s', (generation, _name, apiKey, version, reading) => {
    expect(readingOf(generation, { apiKey, version })).toBe(reading);
  });
});

describe('onUnreadable', () => {
  it('0.9 stays silent, the others close', () => {
    expect(onUnreadable('0.9')).toBe('silent');
    expect((['0.8', '0.10.2', '1.1', '3.9'] as const).map(onUnreadable)).toEqual(Array(4).fill('close'));
  });
});

describe('flexibleSinceOf', () => {
  it('knows tagged fields in headers of 3.9 only', () => {
    for (const { key, flexibleSince } of ALL_APIS) {
      expect(flexibleSinceOf('3.9', key)).toBe(flexibleSince);
      expect(flexibleSinceOf('1.1', key)).toBe(Infinity);
    }
    expect(flexibleSinceOf('3.9', 100)).toBe(Infinity);
  });
});
