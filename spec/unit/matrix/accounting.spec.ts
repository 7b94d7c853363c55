import fc from 'fast-check';

import { deliveredCount, faultsOf, type SentPartition } from '../../matrix/accounting';
import type { Delivered } from '../../support/deliveries';

interface Account {
  readonly sent: SentPartition;
  readonly receivers: { consumerId: string; messages: Delivered[] }[];
}

const at = { topic: 't', partition: 0 };

/** A log in which some values are twice, since the producer has sent again. */
const logs = fc
  .array(fc.record({ count: fc.integer({ min: 1, max: 4 }), isRepeated: fc.boolean() }), {
    ...{ minLength: 2, maxLength: 8 },
  })
  .map((sends) => {
    const values: string[] = [];
    const log: string[] = [];
    for (const { count, isRepeated } of sends) {
      const some = Array.from({ length: count }, (_, index) => `v${values.length + index}`);
      values.push(...some);
      log.push(...some, ...(isRepeated ? some : []));
    }
    return { values, log };
  });

/** Three members read the log by turns; each turn may go back to what was handed out before. */
const accounts: fc.Arbitrary<Account> = fc
  .tuple(
    logs,
    fc.array(fc.record({ member: fc.nat(2), back: fc.nat(3), count: fc.nat(6) }), { maxLength: 8 }),
  )
  .map(([{ values, log }, turns]) => {
    const receivers = ['a', 'b', 'c'].map((consumerId) => ({ consumerId, messages: [] as Delivered[] }));
    let end = 0;
    for (const { member, back, count } of [...turns, { member: 0, back: 0, count: log.length }]) {
      const to = Math.min(log.length, end + count);
      for (let offset = Math.max(0, end - back); offset < to; offset += 1) {
        receivers[member]?.messages.push({ ...at, offset, value: log[offset] });
      }
      end = to;
    }
    return { sent: { ...at, values, endOffset: log.length }, receivers };
  });

/** One member that has read five messages. */
const five = (): { sent: SentPartition; messages: Delivered[] } => {
  const values = ['v0', 'v1', 'v2', 'v3', 'v4'];
  return {
    sent: { ...at, values, endOffset: 5 },
    messages: values.map((value, offset) => ({ ...at, offset, value })),
  };
};

const faultsOfFive = (change: (messages: Delivered[]) => Delivered[], sent = five().sent): string[] =>
  faultsOf([sent], [{ consumerId: 'a', messages: change(five().messages) }]);

describe('the accounts of a cell', () => {
  it('find nothing wrong in whatever turns members read a log, going back or not', () => {
    fc.assert(
      fc.property(accounts, ({ sent, receivers }) => {
        expect(faultsOf([sent], receivers)).toEqual([]);
        expect(deliveredCount('t', sent.values, receivers)).toBe(sent.values.length);
      }),
    );
  });

  it('find any message that nobody was handed', () => {
    fc.assert(
      fc.property(accounts, fc.nat(), ({ sent, receivers }, which) => {
        const gone = which % sent.endOffset;
        const others = receivers.map(({ consumerId, messages }) => ({
          ...{ consumerId, messages: messages.filter(({ offset }) => offset !== gone) },
        }));
        expect(faultsOf([sent], others)).toContainEqual(
          expect.stringContaining(`of t/0 never handed out, by offset: 1 (${gone})`),
        );
      }),
    );
  });

  it('find any value that is not the one that was sent', () => {
    fc.assert(
      fc.property(
        accounts,
        fc.nat(),
        fc.constantFrom('x', 'v0 ', ''),
        ({ sent, receivers }, which, wrong) => {
          const all = receivers.flatMap(({ messages }) => messages);
          const damaged = all[which % all.length];
          const others = receivers.map(({ consumerId, messages }) => ({
            ...{ consumerId },
            messages: messages.map((message) =>
              message === damaged ? { ...message, value: wrong } : message,
            ),
          }));
          expect(faultsOf([sent], others)).not.toEqual([]);
        },
      ),
    );
  });

  it.each<[string, string[], (messages: Delivered[]) => Delivered[]]>([
    [
      'missing',
      ['missing: 1 (v4)', 'never handed out, by offset: 1 (4)'],
      (messages) => messages.slice(0, 4),
    ],
    [
      'handed out later than its successor',
      ['out of order at a: 1 (t/0@2)'],
      ([a, b, c, d, e]) => some(a, b, d, c, e),
    ],
    [
      'of a topic that was not sent to',
      ['not of what was sent: 1 (u/0@0)'],
      (messages) => [...messages, { ...at, topic: 'u', offset: 0, value: 'v0' }],
    ],
    [
      'behind the end',
      ['behind the end of the log: 1 (5)'],
      (messages) => [...messages, { ...at, offset: 5, value: 'v4' }],
    ],
    [
      'never sent',
      ['never sent: 1 (x)', 'behind the end of the log: 1 (5)'],
      (messages) => [...messages, { ...at, offset: 5, value: 'x' }],
    ],
    [
      'null',
      ['missing: 1 (v0)', 'never sent: 1 (null)'],
      ([, ...rest]) => [{ ...at, offset: 0, value: null }, ...rest],
    ],
    [
      'another one the second time',
      ['with two values: 1 (4)'],
      (messages) => [...messages, { ...at, offset: 4, value: 'v3' }],
    ],
  ])('name a message that is %s', (_, wanted, change) => {
    const faults = faultsOfFive(change);
    for (const text of wanted) expect(faults.join('\n')).toContain(text);
  });

  it('name what lies in the log in another order than it was sent', () => {
    const sent = { ...five().sent, values: ['v1', 'v0', 'v2', 'v3', 'v4'] };
    expect(faultsOfFive((messages) => messages, sent)).toEqual([
      'messages of t/0 not in the order of sending: 2 (v0, v1)',
    ]);
  });

  it('name a few of many', () => {
    expect(faultsOfFive(() => [])).toContain('messages of t/0 missing: 5 (v0, v1, v2, v3, v4)');
    const values = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5'];
    expect(faultsOfFive(() => [], { ...at, values, endOffset: 6 })).toContain(
      'messages of t/0 missing: 6 (v0, v1, v2, v3, v4, …)',
    );
  });

  it('count the values of a topic that came', () => {
    const receivers = [{ consumerId: 'a', messages: five().messages }];
    expect(deliveredCount('t', ['v0', 'v4', 'v9'], receivers)).toBe(2);
    expect(deliveredCount('u', ['v0'], receivers)).toBe(0);
  });
});

function some(...messages: (Delivered | undefined)[]): Delivered[] {
  return messages.filter((message) => message !== undefined);
}
