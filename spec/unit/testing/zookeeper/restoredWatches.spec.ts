import { create, OP, remove, set } from './support/operations';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

describe('watches after a reconnect', () => {
  let zookeeper: TestEnsemble;
  let other: RawClient;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release: '3.4' });
    other = await zookeeper.client();
    for (const path of ['/same', '/changed', '/gone', '/parent', '/quiet']) await create(other, path);
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  it('what was missed is told at once, before the answer; the rest is watched', async () => {
    const { zxid } = await other.ask(OP.sync, '/');
    await set(other, '/changed', 'x');
    await remove(other, '/gone');
    await create(other, '/parent/child');
    await create(other, '/new');
    const client = await zookeeper.client(1, { lastZxid: zxid });
    const answer = await client.askAs(
      -8,
      OP.setWatches,
      zxid,
      ['/same', '/changed', '/gone'],
      ['/new', '/later'],
      ['/parent', '/quiet', '/gone'],
    );
    expect(answer).toMatchObject({ xid: -8, error: 0 });
    expect(answer.body.rest).toHaveLength(0);
    expect(client.timeline).toEqual([
      ...[
        'changed /changed',
        'deleted /gone',
        'created /new',
        'children /parent',
        'deleted /gone',
        'answer -8',
      ],
    ]);
    await set(other, '/same', 'x');
    await create(other, '/later');
    await create(other, '/quiet/child');
    await client.ask(OP.sync, '/');
    expect(client.timeline.slice(6)).toEqual([
      'changed /same',
      'created /later',
      'children /quiet',
      'answer 1',
    ]);
  });

  it('lists that are null are not understood', async () => {
    const client = await zookeeper.client();
    expect((await client.ask(OP.setWatches, 0n, null, [], [])).error).toBe(-5);
  });
});
