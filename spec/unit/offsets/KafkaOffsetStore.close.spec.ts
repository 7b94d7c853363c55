import { waitFor } from '../../support/waitFor';
import { failureOf } from '../kafka/support/failureOf';
import { leavesNothing } from '../kafka/support/leavesNothing';
import { AGAIN, kafkaStoreOf, NO_END, ONCE, positions } from './support/kafkaStoreOf';
import { ScriptedCoordinator } from './support/ScriptedCoordinator';

const AT = positions(['t/0', 5], ['t/1', 0], ['u/0', 7]);

const commits = (broker: ScriptedCoordinator): string[] =>
  broker.asked.filter((one) => one.startsWith('OffsetCommit'));

describe('close() of a KafkaOffsetStore', () => {
  it.each(['FindCoordinator', 'OffsetCommit', 'OffsetFetch'])(
    'ends a wait for the answer to %s',
    async (name) => {
      await leavesNothing(async () => {
        await using broker = await ScriptedCoordinator.start();
        broker.fate = (asked) => (asked === name ? 'silence' : 'answer');
        const store = kafkaStoreOf([broker.endpoint], { 'offsets.channel.socket.timeout.ms': 60_000 });
        const work = failureOf(name === 'OffsetFetch' ? store.read(AT, NO_END) : store.write(AT, AGAIN));
        await waitFor(() => broker.asked.at(-1)?.startsWith(name), { timeoutMs: 2000, description: name });
        store.close();
        expect(await work).toMatchObject({ code: 'BROKER_UNREACHABLE' });
      });
    },
  );

  it('ends the pause before the next try, and a read that its signal ends, too', async () => {
    await leavesNothing(async () => {
      await using broker = await ScriptedCoordinator.start();
      broker.commitErrorCode = () => 7;
      broker.stored = () => ({ offset: -1n, errorCode: 7 });
      const settings = { 'offsets.channel.backoff.ms': 30_000, 'offsets.channel.socket.timeout.ms': 60_000 };
      const store = kafkaStoreOf([broker.endpoint], settings);
      const ending = new AbortController();
      const reading = failureOf(store.read(AT, ending.signal));
      await waitFor(() => broker.asked.length === 2, { timeoutMs: 2000, description: 'the fetch' });
      ending.abort();
      expect(await reading).toMatchObject({ code: 'BROKER_UNREACHABLE' });
      const writing = failureOf(store.write(AT, AGAIN));
      await waitFor(() => commits(broker).length === 1, { timeoutMs: 2000, description: 'the commit' });
      store.close();
      expect(await writing).toMatchObject({ code: 'BROKER_UNREACHABLE' });
    });
  });

  it('ends a wait for the list of brokers, and everything that is asked afterwards', async () => {
    await leavesNothing(async () => {
      const store = kafkaStoreOf([], {}, { clusterBrokers: () => new Promise(() => undefined) });
      const writing = failureOf(store.write(AT, AGAIN));
      store.close();
      expect(await writing).toMatchObject({ code: 'BROKER_UNREACHABLE' });
      await expect(store.write(AT, AGAIN)).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
      await expect(store.read(AT, NO_END)).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
    });
  });

  it('closes the connection that is kept', async () => {
    await leavesNothing(async () => {
      await using broker = await ScriptedCoordinator.start();
      const store = kafkaStoreOf([broker.endpoint]);
      await store.write(AT, ONCE);
      expect(broker.openConnections).toBe(1);
      store.close();
    });
  });
});
