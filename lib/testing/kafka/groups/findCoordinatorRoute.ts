import { COORDINATOR_NOT_AVAILABLE, INVALID_REQUEST, NONE } from '../errorCodes';
import type { KafkaState } from '../KafkaState';
import { findCoordinator } from '../protocol/findCoordinator';
import { route } from '../requests/Route';
import { coordinatorPartition, OFFSETS_TOPIC } from './coordinatorPartition';

/** There are coordinators for groups, but neither for transactions (1) nor, in version 6, for share groups (2). */
const GROUP = 0;
const SHARE = 2;
const FIRST_WITH_SHARE = 6;

export const findCoordinatorRoute = route(findCoordinator, (request, { header, generation, cluster }) => {
  const { key, keyType, coordinatorKeys } = request;
  const isKnownType =
    keyType >= GROUP && (keyType < SHARE || (keyType === SHARE && header.version >= FIRST_WITH_SHARE));
  // Up to 1.1, such a request cannot even be read.
  if (!isKnownType && generation !== '3.9') throw new RangeError(`there is no key type ${keyType}`);
  const found = isKnownType ? find(cluster, keyType, key) : notFound(INVALID_REQUEST);
  return {
    ...found,
    errorMessage: generation === '3.9' ? (MESSAGES.get(found.errorCode) ?? '') : null,
    coordinators: coordinatorKeys.map((one) => ({
      key: one,
      ...(isKnownType ? find(cluster, keyType, one) : notFound(INVALID_REQUEST)),
      ...(!isKnownType && keyType !== SHARE && { errorMessage: INVALID_REQUEST_TEXT }),
    })),
  };
});

const INVALID_REQUEST_TEXT =
  'This most likely occurs because of a request being malformed by the client library or the message was sent to an ' +
  'incompatible broker. See the broker logs for more details.';

/** In versions 1 to 3, the last generation has words for its codes. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [NONE, 'NONE'],
  [COORDINATOR_NOT_AVAILABLE, 'The coordinator is not available.'],
  [INVALID_REQUEST, INVALID_REQUEST_TEXT],
]);

interface Found {
  readonly errorCode: number;
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
}

/** Asking for a group creates the offsets topic. */
function find(cluster: KafkaState, keyType: number, key: string): Found {
  if (keyType !== GROUP) return notFound(COORDINATOR_NOT_AVAILABLE);
  if (!cluster.topics.has(OFFSETS_TOPIC)) cluster.autoCreate(OFFSETS_TOPIC);
  const leader = coordinatorPartition(cluster, key)?.leader;
  const broker = cluster.liveBrokers.find(({ id }) => id === leader);
  if (broker === undefined) return notFound(COORDINATOR_NOT_AVAILABLE);
  return { errorCode: NONE, nodeId: broker.id, host: broker.host, port: broker.port };
}

function notFound(errorCode: number): Found {
  return { errorCode, nodeId: -1, host: '', port: -1 };
}
