import { isIPv6 } from 'node:net';
import { excerpt } from '../excerpt';
import { hostFault, portFault } from './hostAndPort';
import { refuseText } from './parseFault';

export interface BootstrapServer {
  /** An IPv6 address is without its brackets. */
  readonly host: string;
  readonly port: number;
}

/** Reads `host1:port1,[::1]:port2`. As in the Java clients, there is no default for the port. */
export function parseBootstrapServers(text: string): BootstrapServer[] {
  if (text.trim() === '') refuse('it is empty, which names no server');
  // First, since the other reasons show parts of the text.
  if (text.includes('@')) {
    refuse(
      'before an "@" it has a user (hidden), which is not allowed there; a login belongs to sasl.jaas.config',
    );
  }
  return text.split(',').map((server) => parseServer(server.trim()));
}

function parseServer(server: string): BootstrapServer {
  const shown = excerpt(server);
  if (server === '') refuse('a server is missing before, between or behind the commas');
  if (server.includes('://')) {
    refuse(`the server ${shown} must not have a scheme; security.protocol says how brokers are spoken to`);
  }
  if (/[/?#]/.test(server)) refuse(`the server ${shown} has more than a host and a port`);
  const colon = server.lastIndexOf(':');
  if (colon === -1 || server.endsWith(']')) refuse(`the server ${shown} has no port`);
  const port = server.slice(colon + 1);
  const fault = portFault(port, server);
  if (fault !== undefined) refuse(fault);
  return { host: parseHost(server.slice(0, colon), shown), port: Number(port) };
}

function parseHost(host: string, shown: string): string {
  if (host.startsWith('[') && host.endsWith(']')) {
    const address = host.slice(1, -1);
    if (!isIPv6(address)) refuse(`the server ${shown} has no IPv6 address in its brackets`);
    return address;
  }
  if (host === '') refuse(`the server ${shown} has no host name`);
  if (host.includes(':')) refuse(`the server ${shown} needs brackets around its IPv6 address`);
  const fault = hostFault(host);
  if (fault !== undefined) refuse(fault);
  return host;
}

function refuse(reason: string): never {
  refuseText('bootstrap.servers', reason);
}
