import { brokerAddress } from '../../../lib/kafka/brokerVersions';
import { BrokerVersionsMemory } from '../../../lib/kafka/BrokerVersionsMemory';

describe('brokerAddress', () => {
  it.each([
    [{ host: 'kafka-1', port: 9092 }, 'kafka-1:9092'],
    [{ host: '::1', port: 9092 }, '[::1]:9092'],
  ])('writes %p as %s', (broker, address) => {
    expect(brokerAddress(broker)).toBe(address);
  });
});

describe('BrokerVersionsMemory', () => {
  it('knows brokers by host and port', () => {
    const memory = new BrokerVersionsMemory();
    memory.rememberMute({ id: 1, host: 'a', port: 1 });

    expect(memory.isMute({ host: 'a', port: 1 })).toBe(true);
    expect(memory.isMute({ host: 'a', port: 2 })).toBe(false);
    memory.forget({ host: 'a', port: 1 });

    expect(memory.isMute({ host: 'a', port: 1 })).toBe(false);
  });
});
