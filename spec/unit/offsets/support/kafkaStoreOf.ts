import type { ConnectorConfig } from '../../../../lib/config/ConnectorConfig';
import { BrokerConnection } from '../../../../lib/kafka/BrokerConnection';
import type { BrokerEndpoint } from '../../../../lib/kafka/brokerVersions';
import { BrokerVersionsMemory } from '../../../../lib/kafka/BrokerVersionsMemory';
import { silentLogger } from '../../../../lib/logger';
import { KafkaOffsetStore, type KafkaOffsetStoreOptions } from '../../../../lib/offsets/KafkaOffsetStore';
import type { NextOffset } from '../../../../lib/types';
import { configOf } from '../../fetch/support/parts';

const SETTINGS = { 'offsets.channel.backoff.ms': 10, 'offsets.channel.socket.timeout.ms': 2000 } as const;

const CONNECTING = { clientId: 'spec', timeoutMs: 5000, maxFrameBytes: 2 ** 20 };

/** The store of group `g` with these brokers; disposing closes it. */
export function kafkaStoreOf(
  brokers: readonly BrokerEndpoint[],
  settings: Partial<ConnectorConfig> = {},
  options: Partial<KafkaOffsetStoreOptions> = {},
): KafkaOffsetStore & Disposable {
  const memory = new BrokerVersionsMemory();
  // 0.9 would let each first connection wait.
  for (const broker of brokers) if (broker.registrationVersion === 2) memory.rememberMute(broker);
  const store = new KafkaOffsetStore({
    group: 'g',
    clusterBrokers: () => Promise.resolve(brokers),
    connect: (broker, signal) => BrokerConnection.connect(broker, { ...CONNECTING, memory, signal }),
    existingTopics: (topics) => Promise.resolve([...topics]),
    isProved: () => true,
    config: configOf({ ...SETTINGS, ...settings }),
    logger: silentLogger,
    ...options,
  });
  return Object.assign(store, { [Symbol.dispose]: () => store.close() });
}

/** Is never aborted. */
export const NO_END = new AbortController().signal;
export const ONCE = { retryOnFailure: false };
export const AGAIN = { retryOnFailure: true };

/** Positions such as `['t/0', 5]`. */
export function positions(...ats: readonly (readonly [key: string, nextOffset: number])[]): NextOffset[] {
  return ats.map(([key, nextOffset]) => {
    const [topic = '', partition = ''] = key.split('/');
    return { topic, partition: Number(partition), nextOffset };
  });
}
