import { ArgumentFaults } from './argumentFaults';
import { checkBrokerProperties } from './clusterArguments';
import type { EmbeddedSession } from './clusterState';
import type { EmbeddedBrokerProperties } from './EmbeddedClusterOptions';
import type { Generation } from './kafka/Generation';

/** For `startBroker`: what is to be other than before. */
export interface BrokerChanges {
  /** From 1 to 65535. */
  readonly port?: number;
  /** In place of all that the options have for this broker. */
  readonly properties?: EmbeddedBrokerProperties;
}

const MOST_PORT = 65_535;

/** @throws TypeError with all that is wrong with the arguments of `startBroker` */
export function refuseWrongStart(id: unknown, changes: unknown, kafka: Generation): void {
  const faults = new ArgumentFaults('startBroker').wholeNumber('id', id, 1);
  const { port, properties } =
    faults.fields('changes', changes, ['port', 'properties'], 'an object such as { port: 9092 }') ?? {};
  if (port !== undefined) faults.wholeNumber('port', port, 1, MOST_PORT);
  if (properties !== undefined) checkBrokerProperties(faults, 'properties', properties, kafka);
  faults.refuse();
}

/**
 * The id of a session that there is.
 *
 * @throws TypeError for what is no id, RangeError for one that no session has
 */
export function sessionOf(call: string, id: string, sessions: readonly EmbeddedSession[]): string {
  const isId = typeof id === 'string' && /^0x[0-9a-f]{1,16}$/i.test(id);
  const right = 'the id of a session as sessions() tells it, such as "0x15c0ffee"';
  new ArgumentFaults(call).check(isId, 'id', right, id).refuse();
  const known = sessions.map((session) => session.id);
  if (known.some((one) => BigInt(one) === BigInt(id))) return id;
  throw new RangeError(`there is no session ${id}; there are: ${known.join(', ') || 'none'}`);
}

/** @throws TypeError for what is no path in ZooKeeper */
export function refuseWrongPath(call: string, path: unknown): void {
  const isPath = typeof path === 'string' && /^(\/|(\/[^/]+)+)$/.test(path);
  const right = 'a whole path without a slash at its end, such as "/consumers"';
  new ArgumentFaults(call).check(isPath, 'path', right, path).refuse();
}
