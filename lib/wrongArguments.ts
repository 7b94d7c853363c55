import { ConnectorError } from './errors';

/** CONFIG_INVALID for what an application has passed, with all that is wrong with it. */
export function wrongArguments(faults: readonly string[]): ConnectorError {
  return new ConnectorError('CONFIG_INVALID', faults.join('\n'), { faults });
}
