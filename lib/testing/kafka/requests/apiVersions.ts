import { versionsOf } from '../apiVersions';
import { INVALID_REQUEST, NONE, UNSUPPORTED_VERSION } from '../errorCodes';
import type { Generation } from '../Generation';
import { apiVersions } from '../protocol/apiVersions';
import { route } from './Route';

type Answer = Parameters<typeof apiVersions.answer.write>[1];
type KnownVersions = NonNullable<Answer['apiKeys']>[number];

/** First version in which a client says what it is. */
const FIRST_WITH_SOFTWARE = 3;
const SOFTWARE = /^[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?$/;

export const apiVersionsRoute = route(apiVersions, (request, { header, generation }) => {
  const software = [request.clientSoftwareName, request.clientSoftwareVersion];
  if (header.version >= FIRST_WITH_SOFTWARE && !software.every((text) => SOFTWARE.test(text))) {
    return failedApiVersions(INVALID_REQUEST);
  }
  return {
    errorCode: NONE,
    apiKeys: knownVersions(generation),
    // Said in versions that have it: there are features that can be agreed on, and none is.
    finalizedFeaturesEpoch: 0,
  };
});

/** What a version that the broker does not know is answered with, in version 0. */
export function unsupportedApiVersions(generation: Generation): Answer {
  const own = knownVersions(generation).filter(({ apiKey }) => apiKey === apiVersions.key);
  return failedApiVersions(UNSUPPORTED_VERSION, generation === '3.9' ? own : []);
}

export function failedApiVersions(errorCode: number, apiKeys: readonly KnownVersions[] = []): Answer {
  return { errorCode, apiKeys };
}

function knownVersions(generation: Generation): readonly KnownVersions[] {
  const known = [...versionsOf(generation)].sort(([a], [b]) => a - b);
  return known.map(([apiKey, { min, max }]) => ({ apiKey, minVersion: min, maxVersion: max }));
}
