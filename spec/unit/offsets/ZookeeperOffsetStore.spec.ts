import { ConnectorError } from '../../../lib/errors';
import { ZookeeperOffsetStore } from '../../../lib/offsets/ZookeeperOffsetStore';
import { GroupPaths } from '../../../lib/zookeeper/paths';
import { FakeSession } from '../zookeeper/support/FakeSession';

const paths = new GroupPaths('g');
const at = { topic: 't', partition: 0 };
const path = paths.offset('t', 0);

function make(): { fake: FakeSession; store: ZookeeperOffsetStore } {
  const fake = new FakeSession();
  return { fake, store: new ZookeeperOffsetStore(fake.session, paths) };
}

it('writes the position as a decimal text, and makes the node when it is missing', async () => {
  const { fake, store } = make();
  await store.write([{ ...at, nextOffset: 17 }]);
  expect(fake.nodes.get(path)).toEqual({ data: Buffer.from('17'), owner: '0x0' });
  await store.write([{ ...at, nextOffset: 18 }]);
  expect(fake.nodes.get(path)?.data.toString()).toBe('18');
});

it('writes the position even if somebody else makes the node at the same time', async () => {
  const { fake, store } = make();
  fake.before = (request) => {
    if (request === `create ${path}`) fake.put(path, '3', '0x0');
  };
  await store.write([{ ...at, nextOffset: 17 }]);
  expect(fake.nodes.get(path)?.data.toString()).toBe('17');
});

it('asks ZooKeeper for nothing when the session of the claim is no longer proved alive', async () => {
  const { fake, store } = make();
  fake.isProved = false;
  const errors = await store.write([{ ...at, nextOffset: 17 }]);
  expect([...errors]).toMatchObject([['t/0', { code: 'SESSION_LOST', context: { path } }]]);
  expect(fake.asked).toEqual([]);
});

it('writes those that it can, and tells the error of each other', async () => {
  const { fake, store } = make();
  const refusal = new ConnectorError('NO_AUTH', 'no');
  fake.before = (request) => {
    if (request === `write ${paths.offset('t', 1)}`) throw refusal;
  };
  const positions = [0, 1, 2].map((partition) => ({ topic: 't', partition, nextOffset: 5 + partition }));
  await expect(store.write(positions)).resolves.toEqual(new Map([['t/1', refusal]]));
  expect([0, 1, 2].map((n) => fake.nodes.get(paths.offset('t', n))?.data.toString())).toEqual([
    '5',
    undefined,
    '7',
  ]);
});

it('rejects for what is no error of ZooKeeper', async () => {
  const { fake, store } = make();
  fake.before = () => {
    throw new TypeError('unexpected');
  };
  await expect(store.write([{ ...at, nextOffset: 17 }])).rejects.toThrow(TypeError);
});

it('keeps what it was told for ever', () => {
  expect(make().store.forgets).toBe(false);
});

it('reads positions, none where there is no node or a negative one, and tells what is no position', async () => {
  const { fake, store } = make();
  const texts = ['5', '-1', 'five'];
  for (const [partition, text] of texts.entries()) fake.put(paths.offset('t', partition), text, '0x0');
  const read = await store.read([0, 1, 2, 3].map((partition) => ({ topic: 't', partition })));
  expect(read.get('t/0')).toBe(5);
  expect(read.get('t/1')).toBeNull();
  expect(read.get('t/2')).toMatchObject({ code: 'OFFSET_INVALID' });
  expect(read.get('t/3')).toBeNull();
});
