import { apiVersions } from '../../../../../lib/testing/kafka/protocol/apiVersions';
import { TestBrokers } from '../support/TestBrokers';

describe('ApiVersions', () => {
  it.each(['0.10.2', '1.1', '3.9'] as const)('tells what Kafka %s answers, in order', async (generation) => {
    await using brokers = await TestBrokers.start({ generation });
    const client = await brokers.client();
    const { errorCode, apiKeys } = await client.ask(apiVersions, 0, {});
    expect(errorCode).toBe(0);
    const keys = apiKeys.map(({ apiKey }) => apiKey);
    expect(keys).toEqual([...keys].sort((a, b) => a - b));
    const fetch = { '0.10.2': 3, '1.1': 7, '3.9': 17 }[generation];
    expect(apiKeys.find(({ apiKey }) => apiKey === 1)).toEqual({
      apiKey: 1,
      minVersion: 0,
      maxVersion: fetch,
    });
  });

  it('tells from version 3 on of no features', async () => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    const software = { clientSoftwareName: 'spec', clientSoftwareVersion: '1.0' };
    await expect(client.ask(apiVersions, 3, software)).resolves.toMatchObject({
      ...{ errorCode: 0, supportedFeatures: [], finalizedFeaturesEpoch: 0 },
    });
  });

  it.each(['', '-', 'a b'])('does not talk to software of the name %j', async (clientSoftwareName) => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    const software = { clientSoftwareName, clientSoftwareVersion: '1.0' };
    await expect(client.ask(apiVersions, 3, software)).resolves.toMatchObject({ errorCode: 42, apiKeys: [] });
  });
});
