import { create, OP, remove, set } from './support/operations';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

describe('lasting watches of ZooKeeper 3.8', () => {
  let zookeeper: TestEnsemble;
  let client: RawClient;
  let other: RawClient;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start();
    client = await zookeeper.client();
    other = await zookeeper.client();
    await create(other, '/a');
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  async function changeAll(): Promise<void> {
    await set(other, '/a', '1');
    await create(other, '/a/b');
    await set(other, '/a/b', '2');
    await remove(other, '/a/b');
    await set(other, '/a', '3');
    await client.ask(OP.sync, '/');
  }

  it('a persistent watch tells of every change of node and children', async () => {
    expect((await client.ask(OP.addWatch, '/a', 0)).body.int()).toBe(0);
    await changeAll();
    expect(client.timeline).toEqual([
      'answer 1',
      'changed /a',
      'children /a',
      'children /a',
      'changed /a',
      'answer 2',
    ]);
  });

  it('a recursive watch tells of every change below', async () => {
    await client.ask(OP.addWatch, '/a', 1);
    await changeAll();
    expect(client.timeline).toEqual([
      ...['answer 1', 'changed /a', 'created /a/b', 'changed /a/b', 'deleted /a/b', 'changed /a', 'answer 2'],
    ]);
  });

  it('they come back with op 105, and watch what comes from then on', async () => {
    await client.ask(OP.setWatches2, 0n, [], [], [], ['/p'], ['/a']);
    await changeAll();
    expect(client.timeline).toContain('created /a/b');
    await create(other, '/p');
    await client.ask(OP.sync, '/');
    expect(client.timeline).toContain('created /p');
  });

  it('a watch can be removed by its kind', async () => {
    await client.ask(OP.getData, '/a', true);
    await client.ask(OP.getChildren, '/a', true);
    expect((await client.ask(OP.checkWatches, '/a', 1)).error).toBe(0);
    expect((await client.ask(OP.removeWatches, '/a', 1)).error).toBe(0);
    expect((await client.ask(OP.removeWatches, '/a', 1)).error).toBe(-121);
    expect((await client.ask(OP.checkWatches, '/a', 3)).error).toBe(0);
    expect((await client.ask(OP.removeWatches, '/a', 3)).error).toBe(0);
    expect((await client.ask(OP.checkWatches, '/a', 3)).error).toBe(-121);
    await changeAll();
    expect(client.timeline.filter((entry) => !entry.startsWith('answer'))).toEqual([]);
  });

  it('unknown modes and kinds are not understood', async () => {
    expect((await client.ask(OP.addWatch, '/a', 2)).error).toBe(-5);
    expect((await client.ask(OP.removeWatches, '/a', 4)).error).toBe(-5);
  });
});
