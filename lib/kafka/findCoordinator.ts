import type { BrokerAddress } from './metadata';
import type { KafkaRequest } from './wire';

export interface FoundCoordinator {
  readonly errorCode: number;
  /** No broker if there is an error. */
  readonly coordinator: BrokerAddress;
}

export const FIND_COORDINATOR_API_KEY = 10;

/**
 * Asks which broker is the coordinator of a group. Version 0, which all brokers from 0.8.2 on have; 0.8.1 does not know the
 * request and closes the connection.
 */
export function findCoordinatorRequest(group: string): KafkaRequest<FoundCoordinator> {
  return {
    apiKey: FIND_COORDINATOR_API_KEY,
    apiVersion: 0,
    name: 'FindCoordinator v0',
    write(writer) {
      writer.string(group);
    },
    read(reader) {
      const errorCode = reader.int16();
      return { errorCode, coordinator: { id: reader.int32(), host: reader.string(), port: reader.int32() } };
    },
  };
}
