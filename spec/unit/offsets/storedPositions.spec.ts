import { ConnectorError } from '../../../lib/errors';
import { ZookeeperOffsetStore } from '../../../lib/offsets/ZookeeperOffsetStore';
import { GroupPaths } from '../../../lib/zookeeper/paths';
import { FakeSession } from '../zookeeper/support/FakeSession';

/* Faults of kafka-node's offset requests, which are not used: the store has not got them either. */

const paths = new GroupPaths('g');
const at = { topic: 't', partition: 0 };

function make(): { fake: FakeSession; store: ZookeeperOffsetStore } {
  const fake = new FakeSession();
  return { fake, store: new ZookeeperOffsetStore(fake.session, paths) };
}

describe('a stored position', () => {
  it('of 0 is the position 0, not none', async () => {
    const { store } = make();
    await store.write([{ ...at, nextOffset: 0 }]);
    expect(await store.read([at])).toEqual(new Map([['t/0', 0]]));
  });

  it('that cannot be asked for is an error, not none', async () => {
    const { fake, store } = make();
    await store.write([{ ...at, nextOffset: 5 }]);
    const refusal = new ConnectorError('NO_AUTH', 'no');
    fake.before = (request) => {
      if (request.startsWith('read')) throw refusal;
    };
    await expect(store.read([at])).rejects.toBe(refusal);
  });
});

it('no positions at all are asked for in no time', async () => {
  const { fake, store } = make();
  expect(await store.read([])).toEqual(new Map());
  expect(fake.asked).toEqual([]);
});
