import type { SecurityProtocol } from '../kafka/brokerSecurity';
import {
  fieldOf,
  isJsonObject,
  parseZnodeObject,
  znodeError,
  type JsonObject,
  type ZnodeData,
  type ZnodeSubject,
} from './znodeText';

/** Where a broker can be reached by one of the security protocols. */
export interface Broker {
  readonly id: number;
  /** A host name or an address; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
  /** 1 up to Kafka 0.8, 2 or more since 0.9. */
  readonly registrationVersion: number;
}

interface Listener {
  readonly name: string;
  readonly protocol: string;
  readonly host: string;
  readonly port: number;
}

/**
 * Reads the data of `/brokers/ids/<id>`; unknown fields and versions are ignored.
 *
 * @param protocol - which of its listeners is wanted, `security.protocol`
 */
export function decodeBroker(id: number, data: ZnodeData, path: string, protocol: SecurityProtocol): Broker {
  const subject: ZnodeSubject = { code: 'BROKER_ERROR', what: 'broker registration', path };
  const { text, fields } = parseZnodeObject(data, subject);
  const listeners = listenersOf(fields);
  const registrationVersion = versionOf(fields, listeners.length > 0);
  // From version 2 on host and port repeat one listener, or are null and -1; in version 1 there is nothing else.
  const plain = listeners.length > 0 ? undefined : hostAndPort(fields);
  if (listeners.length === 0 && plain === undefined) {
    throw znodeError(subject, text, 'has neither a host with a port nor a usable listener in "endpoints"');
  }
  const known = plain === undefined ? listeners : [{ name: 'PLAINTEXT', protocol: 'PLAINTEXT', ...plain }];
  const wanted = listenerFor(protocol, known);
  if (wanted !== undefined) return { id, host: wanted.host, port: wanted.port, registrationVersion };
  const names = known.map((one) => (one.name === one.protocol ? one.name : `${one.name} (${one.protocol})`));
  throw znodeError(
    subject,
    text,
    `has no ${protocol} listener, which security.protocol asks for; it has ${names.join(', ')}`,
  );
}

function versionOf(fields: JsonObject, hasListeners: boolean): number {
  const version = fieldOf(fields, 'version');
  if (typeof version === 'number' && Number.isSafeInteger(version)) return version;
  return hasListeners ? 2 : 1;
}

function hostAndPort(fields: JsonObject): { host: string; port: number } | undefined {
  const host = fieldOf(fields, 'host');
  const port = fieldOf(fields, 'port');
  if (typeof host !== 'string' || host === '' || typeof port !== 'number' || !isPort(port)) return undefined;
  return { host: withoutBrackets(host), port };
}

function listenersOf(fields: JsonObject): Listener[] {
  const endpoints = fieldOf(fields, 'endpoints');
  if (!Array.isArray(endpoints)) return [];
  const protocols = fieldOf(fields, 'listener_security_protocol_map');
  return endpoints.flatMap((endpoint: unknown) => {
    const listener = typeof endpoint === 'string' ? parseEndpoint(endpoint, protocols) : undefined;
    return listener === undefined ? [] : [listener];
  });
}

/** `NAME://host:port`; an IPv6 address is in brackets. Before named listeners the name is the protocol. */
function parseEndpoint(endpoint: string, protocols: unknown): Listener | undefined {
  const match = /^([^:/]+):\/\/(.+):([0-9]+)$/.exec(endpoint);
  const [, name, host, portText] = match ?? [];
  const port = Number(portText);
  if (name === undefined || host === undefined || !isPort(port)) return undefined;
  const mapped = isJsonObject(protocols) ? fieldOf(protocols, name) : undefined;
  const protocol = typeof mapped === 'string' ? mapped : name;
  return { name, protocol: protocol.toUpperCase(), host: withoutBrackets(host), port };
}

/** The one that is named like the protocol is what a JVM consumer takes; with named listeners any of it will do. */
function listenerFor(protocol: SecurityProtocol, listeners: readonly Listener[]): Listener | undefined {
  const fitting = listeners.filter((listener) => listener.protocol === protocol);
  return fitting.find(({ name }) => name.toUpperCase() === protocol) ?? fitting[0];
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65_535;
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}
