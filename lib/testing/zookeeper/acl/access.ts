import { ZookeeperFault } from '../ZookeeperFault';
import type { ZookeeperRelease } from '../ZookeeperRelease';
import type { AccessEntry, AccessId, AskedEntry } from './AccessEntry';
import { isDigestId } from './digest';
import { isAddress, isAddressRange, isInRange } from './ipAddress';

/** May do everything, whatever the access lists say. */
export const SUPER: AccessId = { scheme: 'super', id: '' };

/** @throws NO_AUTH if the list gives none of the permissions to any of the ids */
export function requireAccess(
  acl: readonly AccessEntry[],
  permission: number,
  ids: readonly AccessId[],
  path: string,
): void {
  if (!isAllowed(acl, permission, ids)) throw new ZookeeperFault('NO_AUTH', path);
}

export function isAllowed(
  acl: readonly AccessEntry[],
  permission: number,
  ids: readonly AccessId[],
): boolean {
  if (acl.length === 0 || ids.some(({ scheme }) => scheme === SUPER.scheme)) return true;
  return acl.some((entry) => {
    if ((entry.perms & permission) === 0) return false;
    return isAnyone(entry) || ids.some((id) => isSame(id, entry));
  });
}

/**
 * The access list that a client asks for, with its own ids in place of "auth".
 *
 * @throws INVALID_ACL
 */
export function fixAccessList(
  asked: readonly AskedEntry[] | null,
  ids: readonly AccessId[],
  release: ZookeeperRelease,
  path: string,
): readonly AccessEntry[] {
  if (asked === null && release === '3.4') {
    throw new ZookeeperFault('MARSHALLING_ERROR', `no access list for ${path}`);
  }
  const entries = withoutDuplicates(asked ?? []).map((entry) => complete(entry, release, path));
  const own = ids.filter(({ scheme }) => scheme === 'digest');
  const fixed = inOrder(entries, release).flatMap((entry) => {
    if (entry.scheme !== 'auth') return isUsable(entry, release) ? [entry] : [null];
    return own.length === 0 ? [null] : own.map((id) => ({ ...id, perms: entry.perms }));
  });
  if (fixed.length === 0 || fixed.includes(null)) throw new ZookeeperFault('INVALID_ACL', path);
  return fixed.filter((entry) => entry !== null);
}

function isAnyone({ scheme, id }: AccessId): boolean {
  return scheme === 'world' && id === 'anyone';
}

function isSame(id: AccessId, entry: AccessEntry): boolean {
  if (id.scheme !== entry.scheme) return false;
  return id.scheme === 'ip' ? isInRange(id.id, entry.id) : id.scheme === 'digest' && id.id === entry.id;
}

function isUsable(entry: AccessEntry, release: ZookeeperRelease): boolean {
  if (isAnyone(entry)) return true;
  if (entry.scheme === 'digest') return isDigestId(entry.id);
  if (entry.scheme !== 'ip') return false;
  return release === '3.4' ? isAddress(entry.id) : isAddressRange(entry.id);
}

/** The older release puts what "auth" stands for behind all others. */
function inOrder(entries: readonly AccessEntry[], release: ZookeeperRelease): readonly AccessEntry[] {
  if (release === '3.8') return entries;
  const isOwn = ({ scheme }: AccessEntry): boolean => scheme === 'auth';
  return [...entries.filter((entry) => !isOwn(entry)), ...entries.filter(isOwn)];
}

function withoutDuplicates(asked: readonly AskedEntry[]): readonly AskedEntry[] {
  const isEqual = (one: AskedEntry, other: AskedEntry): boolean =>
    one.perms === other.perms && one.scheme === other.scheme && one.id === other.id;
  return asked.filter((entry, index) => asked.findIndex((other) => isEqual(entry, other)) === index);
}

function complete({ perms, scheme, id }: AskedEntry, release: ZookeeperRelease, path: string): AccessEntry {
  if (scheme === null && release === '3.8') throw new ZookeeperFault('INVALID_ACL', path);
  if (scheme === 'auth') return { perms, scheme, id: id ?? '' };
  if (scheme === null || id === null) {
    throw new ZookeeperFault('MARSHALLING_ERROR', `half an access list for ${path}`);
  }
  return { perms, scheme, id };
}
