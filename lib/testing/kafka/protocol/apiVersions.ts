import type { Api } from './Api';
import { field, struct } from './struct';
import { array, bool, int16, int32, int64, string } from './types';

const request = struct({
  clientSoftwareName: field(string, { since: 3 }),
  clientSoftwareVersion: field(string, { since: 3 }),
});

const answer = struct({
  errorCode: field(int16),
  apiKeys: field(array(struct({ apiKey: field(int16), minVersion: field(int16), maxVersion: field(int16) }))),
  throttleTimeMs: field(int32, { since: 1 }),
  supportedFeatures: field(
    array(struct({ name: field(string), minVersion: field(int16), maxVersion: field(int16) })),
    { since: 3, tag: 0 },
  ),
  finalizedFeaturesEpoch: field(int64, { since: 3, tag: 1, fallback: -1 }),
  finalizedFeatures: field(
    array(struct({ name: field(string), maxVersionLevel: field(int16), minVersionLevel: field(int16) })),
    { since: 3, tag: 2 },
  ),
  zkMigrationReady: field(bool, { since: 3, tag: 3 }),
});

/** Which versions a broker knows. A version that it does not know itself is answered in version 0, with an error. */
export const apiVersions = { key: 18, name: 'ApiVersions', flexibleSince: 3, request, answer } satisfies Api<
  unknown,
  never
>;
