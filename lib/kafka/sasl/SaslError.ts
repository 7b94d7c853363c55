/** Thrown when the broker's part of a login is refused; says why, never with a secret. */
export class SaslError extends Error {
  override readonly name = 'SaslError';
}
