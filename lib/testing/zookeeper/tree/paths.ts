import { ZookeeperFault } from '../ZookeeperFault';
import type { ZookeeperRelease } from '../ZookeeperRelease';

/** "" for the children of the root, as the servers have it. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** What the servers look at before they know the node's parent. */
export function requireParent(path: string): string {
  if (!path.includes('/') || path.includes('\0')) throw new ZookeeperFault('BAD_ARGUMENTS', path);
  return parentOf(path);
}

/**
 * The path of a node that a request is to change. The newer release looks at it first; the older one takes it as it is,
 * and breaks on a null.
 */
export function requireChangeable(path: string | null, release: ZookeeperRelease): string {
  if (release === '3.8') {
    if (path === null) throw new ZookeeperFault('BAD_ARGUMENTS', 'no path');
    requireValid(path, release);
  }
  if (path === null) throw new ZookeeperFault('MARSHALLING_ERROR', 'no path');
  return path;
}

/** @throws BAD_ARGUMENTS */
export function requireValid(path: string, release: ZookeeperRelease): void {
  if (!isValid(path, release)) throw new ZookeeperFault('BAD_ARGUMENTS', path);
}

function isValid(path: string, release: ZookeeperRelease): boolean {
  if (path === '/') return true;
  if (!path.startsWith('/') || path.endsWith('/')) return false;
  const names = path.slice(1).split('/');
  if (names.some((name) => name === '' || name === '.' || name === '..')) return false;
  return !FORBIDDEN[release].test(path);
}

/** The older release leaves out the borders of its ranges, except for NUL. */
const FORBIDDEN: Readonly<Record<ZookeeperRelease, RegExp>> = {
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  '3.4': /[\0-\x1e\x80-\x9e\ud801-\uf8fe\ufff1-\ufffe]/,
  // eslint-disable-next-line no-control-regex -- control characters are what it is about
  '3.8': /[\0-\x1f\x7f-\x9f\ud800-\uf8ff\ufff0-\uffff]/,
};
