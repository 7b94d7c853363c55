import type { ConsumerRebalanceListener } from '../../lib';
import { assertRebalanceListener } from '../../lib/ConsumerRebalanceListener';
import { RebalanceCallbacks } from '../../lib/RebalanceCallbacks';
import { connectorErrorOf } from './connectorErrorOf';

const PARTITIONS = [
  { topic: 'a', partition: 1 },
  { topic: 'b', partition: 0 },
  { topic: 'a', partition: 0 },
];

function callbacksTo(listener: ConsumerRebalanceListener, limitMs = 10_000) {
  const warnings: string[] = [];
  const ignored = (): void => undefined;
  const warn = (message: string): void => void warnings.push(message);
  const logger = { debug: ignored, info: ignored, warn, error: warn };
  return { callbacks: new RebalanceCallbacks(listener, limitMs, logger), warnings };
}

describe('the calls of a rebalance listener', () => {
  it('hand over partitions by topic, and the owners of all', async () => {
    const calls: unknown[] = [];
    const { callbacks, warnings } = callbacksTo({
      beforeReleasingPartitions: (owned) => void calls.push(owned),
      beforeStartingFetchers: (consumerId, all) => void calls.push(consumerId, all),
    });
    await callbacks.beforeReleasingPartitions(PARTITIONS);
    await callbacks.beforeStartingFetchers('g_me', new Map([['a', new Map([[0, 'g_me-0']])]]));
    expect(calls).toEqual([
      new Map([
        ['a', new Set([0, 1])],
        ['b', new Set([0])],
      ]),
      'g_me',
      new Map([['a', new Map([[0, { consumer: 'g_me', threadId: 'g_me-0' }]])]]),
    ]);
    expect(warnings).toEqual([]);
  });

  it('wait for a promise, with the listener as "this", and do without the one that is missing', async () => {
    class Listener implements ConsumerRebalanceListener {
      told = 0;
      async beforeReleasingPartitions(): Promise<void> {
        await new Promise((resolve) => setImmediate(resolve));
        this.told += 1;
      }
    }
    const listener = new Listener();
    const { callbacks } = callbacksTo(listener);
    await callbacks.beforeReleasingPartitions([]);
    expect(listener.told).toBe(1);
    await callbacks.beforeStartingFetchers('g_me', new Map());
  });

  it.each([
    ['throws', () => { throw new Error('disk full'); }], // prettier-ignore
    ['rejects', () => Promise.reject(new Error('disk full'))],
  ])('reject with REBALANCE_FAILED when it %s', async (_, method) => {
    const { callbacks } = callbacksTo({ beforeReleasingPartitions: method });
    await expect(callbacks.beforeReleasingPartitions([])).rejects.toMatchObject({
      code: 'REBALANCE_FAILED',
      retriable: true,
      message: 'beforeReleasingPartitions of the rebalance listener has thrown: disk full',
    });
  });

  it('go on with a warning when it takes too long', async () => {
    const never = new Promise<void>(() => undefined);
    const { callbacks, warnings } = callbacksTo({ beforeStartingFetchers: () => never }, 20);
    await callbacks.beforeStartingFetchers('g_me', new Map());
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/^beforeStartingFetchers .* rebalance\.drain\.timeout\.ms \(20\)/);
  });
});

describe('who asks', () => {
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('is the listener while it is waited for, however it has come there, and nobody else', async () => {
    const seen: boolean[] = [];
    const look = (): void => void seen.push(callbacks.isCaller);
    const { callbacks } = callbacksTo({
      beforeReleasingPartitions: async () => {
        look();
        await nextTurn();
        setTimeout(look, 1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        look();
      },
    });
    look();
    const calling = callbacks.beforeReleasingPartitions([]);
    look();
    await calling;
    look();
    expect(seen).toEqual([false, true, false, true, true, false]);
  });

  it('is no longer the listener when it is not waited for any more; what it throws then is logged', async () => {
    const late: boolean[] = [];
    let end: () => void = () => undefined;
    const { callbacks, warnings } = callbacksTo(
      {
        beforeReleasingPartitions: async () => {
          await new Promise<void>((resolve) => (end = resolve));
          late.push(callbacks.isCaller);
          throw new Error('too late');
        },
      },
      10,
    );
    await callbacks.beforeReleasingPartitions([]);
    end();
    await nextTurn();
    expect(late).toEqual([false]);
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toMatch(/^beforeReleasingPartitions of the rebalance listener has thrown after/);
  });
});

describe('assertRebalanceListener', () => {
  it.each([
    [null, /must be an object, not null/],
    [() => undefined, /must be an object/],
    [{}, /has neither beforeReleasingPartitions nor beforeStartingFetchers/],
    [{ beforeReleasing: () => undefined }, /"beforeReleasing" is none of/],
    [{ beforeReleasingPartitions: 'yes' }, /must be a function, not "yes"/],
    [
      { beforeReleasingPartitions: () => undefined, beforeStartingFetcher: () => undefined },
      /Did you mean "beforeStartingFetchers"/,
    ],
  ])('refuses %p', (listener, message) => {
    const error = connectorErrorOf(() => assertRebalanceListener(listener as ConsumerRebalanceListener));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toMatch(message);
  });

  it('takes a listener with one method, and others of its own', () => {
    const listener = { beforeStartingFetchers: () => undefined, count: 0 };
    expect(() => assertRebalanceListener(listener)).not.toThrow();
  });
});
