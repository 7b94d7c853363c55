import { parseZookeeperAuth } from '../../../lib/config/zookeeperAuth';
import { connectorErrorOf } from '../connectorErrorOf';

describe('zookeeper.auth', () => {
  it.each([
    ['digest:alice:secret', 'alice:secret'],
    ['digest:alice:se:cr:et', 'alice:se:cr:et'],
    ['digest:alice::', 'alice::'],
    ['digest:ä: ', 'ä: '],
  ])('is sent to ZooKeeper without its scheme: %j', (text, auth) => {
    const parsed = parseZookeeperAuth(text);
    expect(parsed.scheme).toBe('digest');
    expect(parsed.auth.toString('utf8')).toBe(auth);
  });

  it.each([
    ['', 'it is empty'],
    ['alice:secret', 'does not start with "digest:"'],
    ['sasl:alice:secret', 'does not start with "digest:"'],
    ['Digest:alice:secret', 'does not start with "digest:"'],
    ['digest', 'not three parts'],
    ['digest:alice', 'not three parts'],
    ['digest::secret', 'it has no user'],
    ['digest:alice:', 'it has no password'],
    ['digest:alice:secret\n', 'there is an end of a line in it'],
  ])('cannot be %j, of which nothing is shown', (text, why) => {
    const error = connectorErrorOf(() => parseZookeeperAuth(text));
    expect(error.context.faults).toEqual([expect.stringContaining(why)]);
    expect(error.message).not.toMatch(/alice|secret|sasl/);
  });
});
