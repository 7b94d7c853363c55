import { ConsumerRegistry } from '../../../lib/zookeeper/ConsumerRegistry';
import { GroupPaths } from '../../../lib/zookeeper/paths';
import { encodeRegistration, type Subscription } from '../../../lib/zookeeper/registration';
import { FakeSession, OWN_ID } from './support/FakeSession';

const paths = new GroupPaths('g');
const subscription: Subscription = { pattern: 'static', subscription: new Map([['t', 1]]) };
const TEXT = encodeRegistration({ ...subscription, timestampMs: 0 }).toString();
const running = new AbortController().signal;

function make(): { fake: FakeSession; registry: ConsumerRegistry } {
  const fake = new FakeSession();
  return { fake, registry: new ConsumerRegistry(fake.session, paths, 'g_a', subscription) };
}

describe('the members', () => {
  it('are all whose node can be read', async () => {
    const { fake, registry } = make();
    for (const id of ['g_a', 'g_b']) fake.put(paths.id(id), TEXT, '0x2');
    const members = await registry.members();
    expect([...members].map(([id, { subscription }]) => [id, [...subscription]])).toEqual([
      ['g_a', [['t', 1]]],
      ['g_b', [['t', 1]]],
    ]);
  });

  it('do not include one that left between the list and the look', async () => {
    const { fake, registry } = make();
    for (const id of ['g_a', 'g_b', 'g_c']) fake.put(paths.id(id), TEXT, '0x2');
    fake.before = (request) => {
      if (request === `read ${paths.id('g_b')}`) fake.nodes.delete(paths.id('g_b'));
    };
    expect([...(await registry.members()).keys()]).toEqual(['g_a', 'g_c']);
  });

  it('are unknown as long as one registration is malformed, which is named', async () => {
    const { fake, registry } = make();
    fake.put(paths.id('g_a'), TEXT, '0x2');
    fake.put(paths.id('g_b'), '', '0x2');
    await expect(registry.members()).rejects.toMatchObject({
      code: 'REGISTRATION_INVALID',
      context: { path: paths.id('g_b') },
    });
  });
});

describe('the registration', () => {
  it('is made by one request with all its data, and is what heartbeats check', async () => {
    const { fake, registry } = make();
    await registry.register(running);
    expect(fake.asked).toEqual([`create ${paths.id('g_a')}`]);
    expect(fake.nodes.get(paths.id('g_a'))?.owner).toBe(OWN_ID);
    expect(fake.proofPath).toBe(paths.id('g_a'));
  });

  it('is the one that stands, if that is of this session', async () => {
    const { fake, registry } = make();
    fake.put(paths.id('g_a'), TEXT, OWN_ID);
    await registry.register(running);
    expect(fake.proofPath).toBe(paths.id('g_a'));
  });

  it('comes after the node of an earlier session has gone', async () => {
    const { fake, registry } = make();
    fake.put(paths.id('g_a'), TEXT, '0x2');
    let looks = 0;
    fake.after = (request) => {
      if (request.startsWith('exists') && ++looks === 2) fake.nodes.clear();
    };
    await registry.register(running);
    expect(fake.nodes.get(paths.id('g_a'))?.owner).toBe(OWN_ID);
  });

  it('ends when the connector is shut down', async () => {
    const { fake, registry } = make();
    fake.put(paths.id('g_a'), TEXT, '0x2');
    const closing = new AbortController();
    fake.after = () => closing.abort();
    await expect(registry.register(closing.signal)).rejects.toMatchObject({ code: 'CONNECTOR_CLOSED' });
  });
});
