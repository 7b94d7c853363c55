import { create, OP } from './support/operations';
import { TestEnsemble } from './support/TestEnsemble';

const COUNT = 300;
const DATA = 'x'.repeat(900_000);

describe('a client that does not read', () => {
  it('does not fill the memory with answers, and gets them all when it reads', async () => {
    await using zookeeper = await TestEnsemble.start();
    const [client, other] = [await zookeeper.client(), await zookeeper.client()];
    await create(other, '/large', { data: DATA });
    client.pause();
    const beforeBytes = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < COUNT; count += 1) client.send(OP.getData, '/large', false);
    // Others are answered meanwhile.
    for (let count = 0; count < 50; count += 1) await other.ask(OP.exists, '/large', false);
    expect(process.memoryUsage().arrayBuffers - beforeBytes).toBeLessThan(50_000_000);
    client.resume();
    await client.ask(OP.exists, '/large', false);
    expect(client.timeline).toHaveLength(COUNT + 1);
  });
});
