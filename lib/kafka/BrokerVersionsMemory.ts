import { brokerAddress, type BrokerEndpoint } from './brokerVersions';

/**
 * Which brokers do not answer ApiVersions, so that they are asked once and not at each connection. An entry is dropped
 * when a connection to that address fails, since the broker may come back as a newer one.
 */
export class BrokerVersionsMemory {
  /** Addresses that did not answer. */
  readonly #mute = new Set<string>();

  isMute(broker: BrokerEndpoint): boolean {
    return this.#mute.has(brokerAddress(broker));
  }

  rememberMute(broker: BrokerEndpoint): void {
    this.#mute.add(brokerAddress(broker));
  }

  forget(broker: BrokerEndpoint): void {
    this.#mute.delete(brokerAddress(broker));
  }
}
