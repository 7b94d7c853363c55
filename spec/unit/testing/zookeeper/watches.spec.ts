import { create, EPHEMERAL, OP, OPEN_ACL, part, parts, remove, set } from './support/operations';
import type { RawClient } from './support/RawClient';
import { TestEnsemble } from './support/TestEnsemble';

describe.each(['3.4', '3.8'] as const)('watches of ZooKeeper %s', (release) => {
  let zookeeper: TestEnsemble;
  let client: RawClient;
  let other: RawClient;

  beforeEach(async () => {
    zookeeper = await TestEnsemble.start({ release });
    client = await zookeeper.client();
    other = await zookeeper.client();
  });

  afterEach(() => zookeeper[Symbol.asyncDispose]());

  /** What has come until now: an answer comes behind all that was sent before. */
  async function eventsOf(watching: RawClient): Promise<string[]> {
    await watching.ask(OP.sync, '/');
    return watching.timeline.filter((entry) => !entry.startsWith('answer'));
  }

  it('the event of an own change comes before its answer', async () => {
    await create(client, '/a');
    await client.ask(OP.getData, '/a', true);
    await set(client, '/a', 'x');
    expect(client.timeline).toEqual(['answer 1', 'answer 2', 'changed /a', 'answer 3']);
  });

  it('the event comes before an answer that shows the change', async () => {
    await create(other, '/a');
    await client.ask(OP.getData, '/a', true);
    const changed = set(other, '/a', 'x');
    const read = client.ask(OP.getData, '/a', false);
    await changed;
    const shows = (await read).body.text() === 'x';
    const events = client.timeline.slice(0, client.timeline.indexOf('answer 2'));
    expect(events.includes('changed /a')).toBe(shows);
    expect(await eventsOf(client)).toEqual(['changed /a']);
  });

  it('a watch fires once', async () => {
    await create(client, '/a');
    await client.ask(OP.getData, '/a', true);
    await client.ask(OP.exists, '/a', true);
    await set(other, '/a', '1');
    await set(other, '/a', '2');
    expect(await eventsOf(client)).toEqual(['changed /a']);
  });

  it('a missing node can be watched', async () => {
    await client.ask(OP.exists, '/a', true);
    await create(other, '/a');
    expect(await eventsOf(client)).toEqual(['created /a']);
  });

  it('a read that fails leaves no watch', async () => {
    await client.ask(OP.getData, '/a', true);
    await client.ask(OP.getChildren, '/a', true);
    await create(other, '/a');
    expect(await eventsOf(client)).toEqual([]);
  });

  it('children are watched apart from data', async () => {
    await create(client, '/a');
    await client.ask(OP.getChildren, '/a', true);
    await set(other, '/a', 'x');
    expect(await eventsOf(client)).toEqual([]);
    await create(other, '/a/b');
    expect(await eventsOf(client)).toEqual(['children /a']);
  });

  it('a creation is told of the node, then of its parent', async () => {
    await client.ask(OP.getChildren2, '/', true);
    await client.ask(OP.exists, '/a', true);
    await create(other, '/a');
    expect(await eventsOf(client)).toEqual(['created /a', 'children /']);
  });

  it('who watches data and children of a deleted node hears of it once, and then of the parent', async () => {
    await create(client, '/a');
    await client.ask(OP.getData, '/a', true);
    await client.ask(OP.getChildren, '/a', true);
    await client.ask(OP.getChildren, '/', true);
    await remove(other, '/a');
    expect(await eventsOf(client)).toEqual(['deleted /a', 'children /']);
  });

  it('the events of a multi come in its order, and before its answer', async () => {
    await create(client, '/a');
    for (const path of ['/a', '/b', '/c']) await client.ask(OP.exists, path, true);
    await client.ask(
      OP.multi,
      parts(
        part(OP.create, '/c', '', OPEN_ACL, 0),
        part(OP.setData, '/a', 'x', -1),
        part(OP.create, '/b', '', OPEN_ACL, 0),
      ),
    );
    expect(client.timeline.slice(4)).toEqual(['created /c', 'changed /a', 'created /b', 'answer 5']);
  });

  it('a multi that fails is not told', async () => {
    await create(client, '/a');
    await client.ask(OP.getData, '/a', true);
    await other.ask(OP.multi, parts(part(OP.setData, '/a', 'x', -1), part(OP.delete, '/missing', -1)));
    expect(await eventsOf(client)).toEqual([]);
  });

  it('the end of a session tells of its ephemeral nodes, in the order of Java hash sets', async () => {
    const names = ['k0', 'k757', 'k514', 'k271', 'k28', 'k785', 'k542', 'k299', 'k56', 'k813'];
    for (const name of names) await create(other, `/${name}`, { flags: EPHEMERAL });
    for (const name of names) await client.ask(OP.exists, `/${name}`, true);
    await other.ask(OP.closeSession);
    // As both releases told it.
    const order = ['k542', 'k299', 'k0', 'k28', 'k271', 'k813', 'k757', 'k514', 'k56', 'k785'];
    expect(await eventsOf(client)).toEqual(order.map((name) => `deleted /${name}`));
  });

  it('a session hears of its own nodes before its end is answered', async () => {
    await create(client, '/e', { flags: EPHEMERAL });
    await client.ask(OP.exists, '/e', true);
    await client.ask(OP.closeSession);
    expect(client.timeline.slice(2)).toEqual(['deleted /e', 'answer 3']);
    await client.ended();
  });

  it('watches end with their connection, but the session can have them again', async () => {
    const first = await zookeeper.connect();
    await create(first.client, '/a');
    await first.client.ask(OP.getData, '/a', true);
    await first.client.disconnect();
    const { sessionId, password } = first.connected;
    const again = await zookeeper.client(1, { sessionId, password });
    await set(other, '/a', 'x');
    expect(await eventsOf(again)).toEqual([]);
  });
});
