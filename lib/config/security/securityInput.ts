import type { TLS_SETTINGS } from '../settings/tlsSettings';
import type { SASL_SETTINGS } from '../settings/saslSettings';

export type SecurityKey = keyof typeof TLS_SETTINGS | keyof typeof SASL_SETTINGS;

/** The settings of the security, each read by itself, and what is wrong with them together. */
export interface SecurityInput {
  /** Also true for one whose value was refused: that has been reported. */
  isGiven(name: SecurityKey): boolean;
  /** The value or the default; undefined if there is neither, or if the given one was refused. */
  valueOf(name: SecurityKey): string | undefined;
  /** ` (there is "x", is that meant?)` if a name like this one is there, else empty. */
  hintFor(name: SecurityKey): string;
  readonly faults: string[];
  readonly warnings: string[];
}

/** Reports a fault of one property. Neither text may have a part of a secret. */
export function addFault(input: SecurityInput, name: SecurityKey, wrong: string, expected: string): void {
  input.faults.push(`${name}: ${wrong}; expected ${expected}`);
}

/** Whether a property was given with a value that was refused, so that nothing more can be said about it. */
export function isRefused(input: SecurityInput, name: SecurityKey): boolean {
  return input.isGiven(name) && input.valueOf(name) === undefined;
}
