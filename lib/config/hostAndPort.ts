import { excerpt } from '../excerpt';

/** What is wrong with the name of a host in a list of servers; undefined if nothing is. */
export function hostFault(host: string): string | undefined {
  if (/^[a-zA-Z0-9._-]+$/.test(host)) return undefined;
  return `${excerpt(host)} has a character that a host name cannot have; servers are separated by commas`;
}

/** What is wrong with the port of a server; undefined if nothing is. */
export function portFault(port: string, server: string): string | undefined {
  if (/^[0-9]{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535) return undefined;
  return `the server ${excerpt(server)} has the port ${excerpt(port)}, which must be a number from 1 to 65535`;
}
