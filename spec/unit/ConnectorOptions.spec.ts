import { ZookeeperConsumerConnector } from '../../lib';
import type { ConnectorConfig, ConnectorOptions, Logger } from '../../lib';
import { connectorErrorOf } from './connectorErrorOf';

const CONFIG: ConnectorConfig = { 'group.id': 'g', 'zookeeper.connect': '127.0.0.1:1' };
const faultsOf = (options: unknown): readonly string[] | undefined => {
  const error = connectorErrorOf(() => new ZookeeperConsumerConnector(CONFIG, options as ConnectorOptions));
  expect(error.code).toBe('CONFIG_INVALID');
  return error.context.faults;
};

describe('The options of a connector', () => {
  it('may be there or not', () => {
    const { signal } = new AbortController();
    const noop = (): void => undefined;
    const logger: Logger = { debug: noop, info: noop, warn: noop, error: noop };
    const codecs = { gzip: (bytes: Buffer): Buffer => bytes };
    for (const options of [undefined, {}, { logger, signal, codecs }]) {
      expect(new ZookeeperConsumerConnector(CONFIG, options).state).toBe('idle');
    }
  });

  it('are refused all at once, misspelt ones with the right name', () => {
    expect(faultsOf({ loger: console, singal: 5, signal: 5, codec: {}, timeout: 5, codecs: 5 })).toEqual([
      '"loger" is none of the options of the connector. Did you mean "logger"?',
      '"singal" is none of the options of the connector. Did you mean "signal"?',
      '"codec" is none of the options of the connector. Did you mean "codecs"?',
      '"timeout" is none of the options of the connector; there are logger, signal, codecs',
      'signal must be an AbortSignal, not number',
      expect.stringMatching(/^codecs must be an object/),
    ]);
  });

  it.each([null, 5, 'x', (): void => undefined])('must be an object, not %p', (options) => {
    expect(faultsOf(options)).toEqual([
      expect.stringMatching(/^the options of the connector must be an object, not /),
    ]);
  });
});

describe('The options of createMessageStreams', () => {
  it('are refused before anything connects', async () => {
    const connector = new ZookeeperConsumerConnector(CONFIG);
    await expect(
      connector.createMessageStreams({ t: 1 }, { valueDecorder: 5 } as object),
    ).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      context: { faults: [expect.stringContaining('Did you mean "valueDecoder"?') as string] },
    });
    expect(connector.state).toBe('idle');
    await connector.shutdown();
  });
});

describe('The name of an event', () => {
  it('is refused when there is no such event', () => {
    const connector = new ZookeeperConsumerConnector(CONFIG);
    const error = connectorErrorOf(() =>
      connector.on('rebalance:finish' as 'rebalance:finished', () => undefined),
    );
    expect(error.message).toBe(
      '"rebalance:finish" (string) is none of the events. Did you mean "rebalance:finished"?',
    );
  });
});
