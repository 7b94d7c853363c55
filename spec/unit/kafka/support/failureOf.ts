import { inspect } from 'node:util';

import { ConnectorError } from '../../../../lib/errors';

/** Why something fails; anything but a ConnectorError, or nothing, fails the test. */
export async function failureOf(work: Promise<unknown>): Promise<ConnectorError> {
  const [outcome] = await Promise.allSettled([work]);
  if (outcome.status === 'fulfilled')
    throw new Error(`It has not failed, but given ${inspect(outcome.value)}`);
  if (ConnectorError.is(outcome.reason)) return outcome.reason;
  throw outcome.reason;
}
