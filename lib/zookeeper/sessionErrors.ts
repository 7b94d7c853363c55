import { ConnectorError } from '../errors';
import { failureCode, type SessionOptions } from './sessionTypes';

/** What a failed request means for the caller, in a session that goes on. */
export function requestError(failure: unknown, path: string): ConnectorError {
  const context = { path, cause: failure };
  switch (failureCode(failure)) {
    case 'NO_AUTH':
      return new ConnectorError('NO_AUTH', noAuth(path), context);
    case 'REFUSED':
      return new ConnectorError('CONFIG_INVALID', `${path} is no valid ZooKeeper path.`, context);
    case 'DEADLINE':
      return new ConnectorError(
        'ZOOKEEPER_UNREACHABLE',
        `ZooKeeper did not answer about ${path} in time.`,
        context,
      );
    default:
      return new ConnectorError('ZOOKEEPER_UNREACHABLE', `ZooKeeper failed on ${path}.`, context);
  }
}

function noAuth(path: string): string {
  // Whether a node may be made or removed is up to its parent, and one that is to be made has no ACL yet.
  const parent = path.slice(0, path.lastIndexOf('/')) || '/';
  return (
    `ZooKeeper refuses access to ${path} (NO_AUTH): its ACL, or that of its parent, wants other credentials. ` +
    `Set zookeeper.auth to "digest:user:password" with those that it wants, or correct the ACL ` +
    `("getAcl ${path}" and "getAcl ${parent}" in zkCli.sh show them).`
  );
}

export function sessionLost(sessionId: string, why: string, cause?: ConnectorError): ConnectorError {
  return new ConnectorError('SESSION_LOST', `The ZooKeeper session ${sessionId} is lost: ${why}.`, { cause });
}

export function chrootMissing({ chroot }: SessionOptions): ConnectorError {
  const message =
    `The chroot ${chroot} of zookeeper.connect does not exist in ZooKeeper. Create it, one level after the other, ` +
    `for example with "create ${chroot} ''" in zkCli.sh, or correct zookeeper.connect.`;
  return new ConnectorError('CHROOT_MISSING', message, { path: chroot });
}

/** While a session is opened it does not matter which step did not succeed in time, but what each server did. */
export function openError(
  error: unknown,
  { servers, connectionTimeoutMs }: SessionOptions,
  failures: ReadonlyMap<string, string>,
): unknown {
  if (!ConnectorError.is(error)) return error;
  if (error.code !== 'ZOOKEEPER_UNREACHABLE' && error.code !== 'SESSION_LOST') return error;
  const reasons = Array.from(failures, ([server, why]) => `${server}: ${why}`);
  const message =
    `No server of ${servers} opened a ZooKeeper session within ${connectionTimeoutMs} ms` +
    (reasons.length === 0 ? '. ' : ` (${reasons.join('; ')}). `) +
    `Look at zookeeper.connect and at the servers, or raise zookeeper.connection.timeout.ms.`;
  return new ConnectorError('ZOOKEEPER_UNREACHABLE', message, { cause: error });
}
