import { createHash } from 'node:crypto';

/** The id that a client proves with "user:password". */
export function digestOf(credentials: string): string {
  const colon = credentials.indexOf(':');
  const user = colon < 0 ? credentials : credentials.slice(0, colon);
  return `${user}:${createHash('sha1').update(credentials).digest('base64')}`;
}

/** Two parts; empty ones at the end do not count, as the servers split. */
export function isDigestId(id: string): boolean {
  return /^[^:]*:[^:]+:*$/.test(id);
}
