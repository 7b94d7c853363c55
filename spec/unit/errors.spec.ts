import { runInNewContext } from 'node:vm';

import { ConnectorError } from '../../lib/errors';

describe('ConnectorError', () => {
  it('has code, message, cause, and the context that is known', () => {
    const cause = new Error('below');
    const error = new ConnectorError('NO_AUTH', 'no', { path: '/a', cause });
    expect(error).toMatchObject({
      name: 'ConnectorError',
      code: 'NO_AUTH',
      message: 'no',
      retriable: false,
      cause,
    });
    expect(error.context).toEqual({ path: '/a' });
    expect(error).toBeInstanceOf(Error);
    expect('cause' in new ConnectorError('NO_AUTH', 'no')).toBe(false);
  });

  it('says which codes may pass by themselves', () => {
    expect(new ConnectorError('BROKER_UNREACHABLE', '').retriable).toBe(true);
    expect(new ConnectorError('CONSUMER_TIMEOUT', '').retriable).toBe(true);
    expect(new ConnectorError('MESSAGE_CORRUPT', '').retriable).toBe(false);
  });

  it('is recognised across realms, and nothing else is', () => {
    const foreign: unknown = runInNewContext(
      "Object.assign(new Error('x'), { [Symbol.for('zookeeper-consumer-connector.ConnectorError')]: true })",
    );
    expect(foreign).not.toBeInstanceOf(ConnectorError);
    expect([foreign, new ConnectorError('NO_AUTH', '')].map((error) => ConnectorError.is(error))).toEqual([
      true,
      true,
    ]);
    const others = [new Error('x'), null, undefined, 'text', 7, { code: 'NO_AUTH' }];
    expect(others.some((error) => ConnectorError.is(error))).toBe(false);
  });
});
