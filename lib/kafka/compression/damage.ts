import { errorCode } from '../errorText';

/** The code of node:zlib's own error, too, so that one check finds both. */
const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';

/** Output that came to more than was allowed. */
export class TooLargeError extends Error {
  override readonly name = 'TooLargeError';
  readonly code = TOO_LARGE;

  constructor(maxBytes: number) {
    super(`it comes to more than ${maxBytes} bytes`);
  }
}

/** Compressed bytes that make no sense, with the first byte that does not. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';

  constructor(what: string, at: number) {
    super(`${what} at byte ${at}`);
  }
}

/** True if a set was refused for its size, and not for damage. */
export function isTooLarge(error: unknown): boolean {
  return errorCode(error) === TOO_LARGE;
}
