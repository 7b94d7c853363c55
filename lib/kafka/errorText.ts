/** The reason in OpenSSL's `thread:error:code:library:function:reason:file:line:more`, with the end of a line. */
const OPENSSL_REASON = /:error:[\dA-F]{8}:[^:]*:[^:]*:([^:]+):/;

/**
 * What an error says. By shape and not by class: errors of Node itself are of another realm than ours under some test
 * runners. A failed attempt to connect to several addresses says nothing itself, but has a list of errors that do.
 */
export function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.map(errorText).join('; ');
  }
  if (!('message' in error)) return 'unknown error';
  const message = String(error.message);
  return OPENSSL_REASON.exec(message)?.[1] ?? message;
}

/** True if the other side has closed the connection. */
export function isHangUp(error: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(String(errorCode(error)));
}

/** The `code` of an error of Node, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
