import type { OperationFailure } from '../../../../lib/testing/zookeeper/FailurePlan';
import { OP } from './support/operations';
import { TestEnsemble } from './support/TestEnsemble';

describe('operations that are to fail', () => {
  it('tell how many of them are still to come, and can be called off one by one', async () => {
    await using zookeeper = await TestEnsemble.start();
    const client = await zookeeper.client();
    const error = async (): Promise<number> => (await client.ask(OP.exists, '/', false)).error;
    const first = zookeeper.ensemble.failNext({ code: 'NO_AUTH', times: 2 });
    const second = zookeeper.ensemble.failNext({ code: 'NO_NODE' });
    expect([first.timesLeft, second.timesLeft]).toEqual([2, 1]);
    await expect(error()).resolves.toBe(-102);
    first.cancel();
    await expect(error()).resolves.toBe(-101);
    await expect(error()).resolves.toBe(0);
    expect([first.timesLeft, second.timesLeft]).toEqual([1, 0]);
  });

  it('end with the block that uses them', async () => {
    await using zookeeper = await TestEnsemble.start();
    const client = await zookeeper.client();
    {
      using failure = zookeeper.ensemble.failNext({ code: 'NO_AUTH' });
      expect(failure.timesLeft).toBe(1);
    }
    expect((await client.ask(OP.exists, '/', false)).error).toBe(0);
  });

  it.each([/a/g, /\/a/y, /^\/a$/])('are chosen by a pattern every time: %s', async (path) => {
    await using zookeeper = await TestEnsemble.start();
    const client = await zookeeper.client();
    zookeeper.ensemble.failNext({ path, code: 'NO_AUTH', times: 3 });
    const errors: number[] = [];
    for (let count = 0; count < 4; count++) errors.push((await client.ask(OP.exists, '/a', false)).error);
    expect(errors).toEqual([-102, -102, -102, -101]);
  });

  it.each<[string, object | null | string, string]>([
    ['null', null, "failure must be an object such as { operation: 'create', code: 'NO_AUTH' }, not null"],
    ['a text', 'NO_AUTH', 'failure must be an object such as { operation:'],
    [
      'a misspelt operation',
      { operation: 'crate' },
      'operation cannot be "crate" (string). Did you mean "create"?',
    ],
    ['an unknown operation', { operation: 'X' }, 'operation must be "create", "delete", "exists", "get", '],
    ['no code', {}, 'code must be "SYSTEM_ERROR", "RUNTIME_INCONSISTENCY", '],
    ['a misspelt code', { code: 'NO_NODES' }, 'code cannot be "NO_NODES" (string). Did you mean "NO_NODE"?'],
    [
      'a number for its code',
      { code: -110 },
      `code must be the error's name, "NODE_EXISTS", not -110 (number)`,
    ],
    ['an unknown number', { code: 5 }, 'or "RECONFIG_DISABLED", not 5 (number)'],
    ['an unknown name', { op: 'create' }, '"op" is none of the names in failure. Did you mean "operation"?'],
    ['a path that is no text', { path: 5 }, 'path must be a text or a RegExp, not 5 (number)'],
    [
      'a path that is not whole',
      { path: 'a' },
      'path must be a whole path, such as "/consumers", not "a" (string)',
    ],
    ['no times', { times: 0 }, 'times must be a whole number from 1 on, not 0 (number)'],
    ['times as text', { times: '1' }, 'times must be a whole number from 1 on, not "1" (string)'],
  ])('are refused with what would be right: %s', async (_, given, message) => {
    await using zookeeper = await TestEnsemble.start();
    const isPart = typeof given === 'object' && given !== null && Object.keys(given).length > 0;
    const failure = (isPart ? { code: 'NO_AUTH', ...given } : given) as OperationFailure;
    expect(() => zookeeper.ensemble.failNext(failure)).toThrow(TypeError);
    expect(() => zookeeper.ensemble.failNext(failure)).toThrow(/^failNextOperation: /);
    expect(() => zookeeper.ensemble.failNext(failure)).toThrow(message);
  });
});
