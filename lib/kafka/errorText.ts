/**
 * What an error says. By shape and not by class: errors of Node itself are of another realm than ours under some test
 * runners. A failed attempt to connect to several addresses says nothing itself, but has a list of errors that do.
 */
export function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('errors' in error && Array.isArray(error.errors) && error.errors.length > 0) {
    return error.errors.map(errorText).join('; ');
  }
  return 'message' in error ? String(error.message) : 'unknown error';
}

/** The `code` of an error of Node, such as `ECONNREFUSED`. */
export function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
