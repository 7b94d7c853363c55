import type { BrokerProperties } from './BrokerProperties';
import type { Generation } from './Generation';
import type { LiveBroker } from './KafkaState';
import { readObject } from './topicNodes';

const LISTENER = /^PLAINTEXT:\/\/(.*):(\d+)$/;

/**
 * Where a broker says that it is reached: where it listens, unless its properties name another place.
 *
 * @throws RangeError for an advertised address that cannot be used
 */
export function advertisedAddress(
  listening: LiveBroker,
  generation: Generation,
  properties: BrokerProperties,
): LiveBroker {
  const { id } = listening;
  const listeners = generation === '0.8' ? '' : properties.get('advertised.listeners');
  if (listeners !== '') {
    const [, host, port] = LISTENER.exec(listeners) ?? [];
    if (host !== undefined) return { id, host, port: Number(port) };
    throw new RangeError(
      `advertised.listeners must be like PLAINTEXT://host:port, not ${JSON.stringify(listeners)}`,
    );
  }
  const host = properties.get('advertised.host.name');
  const port = properties.get('advertised.port');
  return {
    id,
    host: host === '' ? listening.host : host,
    port: port === '' ? listening.port : Number(port),
  };
}

/** What is stored in /brokers/ids/N, with its fields in the order in which the generation writes them. */
export function writeRegistration({ host, port }: LiveBroker, generation: Generation, nowMs: number): string {
  const timestamp = String(nowMs);
  const endpoints = [`PLAINTEXT://${host}:${port}`];
  const listener_security_protocol_map = { PLAINTEXT: 'PLAINTEXT' };
  const jmx_port = -1;
  switch (generation) {
    case '0.8':
      return JSON.stringify({ jmx_port, timestamp, host, version: 1, port });
    case '0.9':
      return JSON.stringify({ jmx_port, timestamp, endpoints, host, version: 2, port });
    case '0.10.2':
    case '1.1':
      return JSON.stringify({
        ...{ listener_security_protocol_map, endpoints, jmx_port },
        ...{ host, timestamp, port, version: 4 },
      });
    case '3.9':
      return JSON.stringify({
        features: {},
        ...{ listener_security_protocol_map, endpoints, jmx_port },
        ...{ port, host, version: 5, timestamp },
      });
  }
}

/** Null for data that is no registration. */
export function readRegistration(id: number, data: Buffer): LiveBroker | null {
  const node = readObject(data);
  if (node === null || typeof node['host'] !== 'string' || typeof node['port'] !== 'number') return null;
  return { id, host: node['host'], port: node['port'] };
}

/** What is stored in /controller. */
export function writeControllerNode(brokerId: number, generation: Generation, nowMs: number): string {
  const timestamp = String(nowMs);
  if (generation !== '3.9') return JSON.stringify({ version: 1, brokerid: brokerId, timestamp });
  return JSON.stringify({ version: 2, brokerid: brokerId, timestamp, kraftControllerEpoch: -1 });
}
