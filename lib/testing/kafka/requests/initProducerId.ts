import { INVALID_REQUEST, NONE, TRANSACTIONAL_ID_AUTHORIZATION_FAILED } from '../errorCodes';
import { initProducerId } from '../protocol/initProducerId';
import { route } from './Route';

type Answer = Parameters<typeof initProducerId.answer.write>[1];

/** There are no transactions here; the error is one that producers give up at. */
export const initProducerIdRoute = route(initProducerId, (request, { cluster, brokerId }) => {
  const { transactionalId, producerId, producerEpoch } = request;
  if (transactionalId === '') return failedInitProducerId(INVALID_REQUEST);
  if (transactionalId !== null) return failedInitProducerId(TRANSACTIONAL_ID_AUTHORIZATION_FAILED);
  // A producer has both or none.
  if (producerId < 0 !== producerEpoch < 0) return failedInitProducerId(INVALID_REQUEST);
  return { errorCode: NONE, producerId: cluster.nextProducerId(brokerId), producerEpoch: 0 };
});

export function failedInitProducerId(errorCode: number): Answer {
  return { errorCode, producerId: -1, producerEpoch: -1 };
}
