import { initProducerId } from '../../../../../lib/testing/kafka/protocol/initProducerId';
import { TestBrokers } from '../support/TestBrokers';

describe('InitProducerId', () => {
  it('gives every producer an id of its own, from the thousand of the broker', async () => {
    await using brokers = await TestBrokers.start({ brokers: 2 });
    const ids: number[] = [];
    for (const brokerId of [1, 2, 1]) {
      const client = await brokers.client(brokerId);
      const answer = await client.ask(initProducerId, 4, { transactionalId: null });
      expect(answer).toMatchObject({ errorCode: 0, producerEpoch: 0 });
      ids.push(answer.producerId);
    }
    expect(ids).toEqual([0, 1000, 1]);
  });

  it('refuses a producer that has an id but no epoch', async () => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    const request = { transactionalId: null, producerId: 5 };
    await expect(client.ask(initProducerId, 4, request)).resolves.toMatchObject({ errorCode: 42 });
  });

  it.each([
    ['tx', 53],
    ['', 42],
  ])('has nothing for transactions: %j is error %d', async (transactionalId, errorCode) => {
    await using brokers = await TestBrokers.start();
    const client = await brokers.client();
    const answer = await client.ask(initProducerId, 4, { transactionalId });
    expect(answer).toMatchObject({ errorCode, producerId: -1, producerEpoch: -1 });
  });
});
