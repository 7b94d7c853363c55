import { waitFor } from '../../../support/waitFor';
import { create, EPHEMERAL } from './support/operations';
import { TestEnsemble } from './support/TestEnsemble';

describe('while a test fakes its timers', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('a session expires by real time', async () => {
    await using zookeeper = await TestEnsemble.start({ tickTimeMs: 50 });
    const client = await zookeeper.client(1, { timeoutMs: 100 });
    await create(client, '/e', { flags: EPHEMERAL });
    await waitFor(() => zookeeper.ensemble.sessions().length === 0, {
      ...{ timeoutMs: 3000, description: 'the expiry' },
    });
    expect(zookeeper.ensemble.tree('/e').size).toBe(0);
  });

  it('nobody expires because the test lets its time pass', async () => {
    await using zookeeper = await TestEnsemble.start();
    const client = await zookeeper.client(1, { timeoutMs: 10_000 });
    await jest.advanceTimersByTimeAsync(60_000);
    await create(client, '/still');
    await jest.advanceTimersByTimeAsync(60_000);
    expect(zookeeper.ensemble.sessions()).toHaveLength(1);
  });
});
