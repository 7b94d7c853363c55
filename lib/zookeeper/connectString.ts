import { hostFault, portFault } from '../config/hostAndPort';
import { refuseText } from '../config/parseFault';
import { illegalPathCharacter } from './paths';
import { excerpt } from '../excerpt';

export interface ZooKeeperServer {
  readonly host: string;
  readonly port: number;
}

export interface ConnectString {
  readonly servers: readonly ZooKeeperServer[];
  /** Starts with a slash and ends without one; '' if there is none. */
  readonly chroot: string;
  /** All servers as `h1:2181,h2:2181`, without the chroot. */
  readonly hosts: string;
}

const DEFAULT_PORT = 2181;

/**
 * Reads `host1:port1,host2:port2/chroot`. The ZooKeeper client has a parser too, but that keeps blanks in host names,
 * fails on a slash at the end and takes `h1/a,h2/a` for the chroot `/a,h2/a`, so it gets only what this has passed.
 */
export function parseConnectString(text: string): ConnectString {
  const trimmed = text.trim();
  if (trimmed.includes('@')) assertNoUser(trimmed);
  return parse(trimmed);
}

/** Before anything else, since the other reasons show parts of the text. In a chroot "@" is allowed. */
function assertNoUser(trimmed: string): void {
  const beforeSlash = trimmed.replace(/^\w*:\/\//, '').split('/', 1)[0] ?? '';
  if (beforeSlash.includes('@')) {
    refuse(
      'before an "@" it has a user (hidden), which is not allowed there; credentials belong to zookeeper.auth',
    );
  }
  try {
    parse(trimmed);
  } catch {
    refuse(
      'the reason is hidden, since before its "@" there may be a user and a password: these are not allowed there and ' +
        'belong to zookeeper.auth; a chroot may have "@", but must stand once, behind the last server',
    );
  }
}

function parse(trimmed: string): ConnectString {
  if (trimmed === '') refuse('it is empty, which names no server');
  if (trimmed.includes('://')) refuse('it must not have a scheme such as "zk://"');
  const slash = trimmed.indexOf('/');
  const serverList = slash === -1 ? trimmed : trimmed.slice(0, slash);
  const path = slash === -1 ? '' : trimmed.slice(slash);
  // First, since with a chroot behind each server everything else would be reported about the wrong parts.
  if (path.includes(',')) refuseRepeatedChroot(serverList, path);
  const servers = serverList.split(',').map((server) => parseServer(server.trim()));
  return {
    servers,
    chroot: parseChroot(path),
    hosts: servers.map(({ host, port }) => `${host}:${port}`).join(','),
  };
}

function parseServer(server: string): ZooKeeperServer {
  if (server === '') refuse('a server is missing before, between or behind the commas');
  if (/[[\]]|:.*:/.test(server)) {
    refuse(
      `the server ${excerpt(server)} looks like an IPv6 address, which the ZooKeeper client cannot take; ` +
        `use a host name that stands for it`,
    );
  }
  const [host = '', port] = server.split(':').map((part) => part.trim());
  if (host === '') refuse(`the server ${excerpt(server)} has no host name`);
  const fault = hostFault(host) ?? (port === undefined ? undefined : portFault(port, server));
  if (fault !== undefined) refuse(fault);
  if (port === undefined) return { host, port: DEFAULT_PORT };
  return { host, port: Number(port) };
}

function parseChroot(path: string): string {
  const chroot = path.endsWith('/') ? path.slice(0, -1) : path;
  if (chroot === '') return '';
  const shown = excerpt(path);
  if (illegalPathCharacter(chroot) !== undefined) {
    refuse(`the chroot ${shown} has a character that ZooKeeper refuses in a path`);
  }
  const names = chroot.slice(1).split('/');
  if (names.includes('')) refuse(`the chroot ${shown} has two slashes in a row`);
  if (names.some((name) => name === '.' || name === '..')) {
    refuse(`the chroot ${shown} has a relative part; ZooKeeper paths are absolute`);
  }
  return chroot;
}

function refuseRepeatedChroot(firstServers: string, path: string): never {
  const [chroot = '', ...others] = path.split(',').map((part) => part.trim());
  const servers = [firstServers, ...others.map((other) => other.split('/', 1)[0] ?? '')];
  const right = `${servers.join(',')}${chroot}`;
  refuse(`the chroot must stand once, behind the last server: ${excerpt(right)}`);
}

function refuse(reason: string): never {
  refuseText('zookeeper.connect', reason);
}
