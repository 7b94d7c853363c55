import { ConnectorError } from '../../lib/errors';

/** The ConnectorError that a call throws; anything else, or nothing, fails the test. */
export function connectorErrorOf(call: () => unknown): ConnectorError {
  try {
    call();
  } catch (error) {
    if (ConnectorError.is(error)) return error;
    throw error;
  }
  throw new Error('The call has not thrown');
}
