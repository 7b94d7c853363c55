import fc from 'fast-check';
import {
  compareThreadIds,
  consumerIdString,
  consumerOfThread,
  threadId,
} from '../../../lib/zookeeper/consumerId';

describe('consumerIdString', () => {
  it('is the group with the configured id', () => {
    expect(consumerIdString('g1', 'c1')).toBe('g1_c1');
  });

  it('is the group with host, time and eight hexadecimal digits if no id is configured', () => {
    const parts = { host: 'vm', nowMs: 1795991248160, uuid: 'b3cb4036-0a0b-4c0d-8e0f-101112131415' };
    expect(consumerIdString('g-cc', undefined, parts)).toBe('g-cc_vm-1795991248160-b3cb4036');
  });

  it('leaves out the zeros at the start of the random number, as Java does', () => {
    const parts = { host: 'vm', nowMs: 1, uuid: '00cb4036-0a0b-4c0d-8e0f-101112131415' };
    expect(consumerIdString('g', undefined, parts)).toBe('g_vm-1-cb40360a');
  });

  it('replaces what a node name cannot have in a host name', () => {
    const parts = { host: 'a/b ü', nowMs: 1, uuid: 'b3cb4036-0a0b-4c0d-8e0f-101112131415' };
    expect(consumerIdString('g', undefined, parts)).toBe('g_a_b__-1-b3cb4036');
  });

  it('takes the own host, the clock and a new random number by default', () => {
    const before = Date.now();
    const match = /^g_(.+)-([0-9]+)-[0-9a-f]{8}$/.exec(consumerIdString('g'));
    expect(Number(match?.[2])).toBeGreaterThanOrEqual(before);
    expect(Number(match?.[2])).toBeLessThanOrEqual(Date.now());
    expect(consumerIdString('g')).not.toBe(consumerIdString('g'));
  });
});

describe('Thread ids', () => {
  it('are the consumer id with a number without padding', () => {
    expect(threadId('g1_c1', 0)).toBe('g1_c1-0');
    expect(threadId('g1_c1', 10)).toBe('g1_c1-10');
  });

  it('lead back to the consumer', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), (consumer, n) => {
        expect(consumerOfThread(threadId(consumer, n))).toBe(consumer);
      }),
    );
    expect(consumerOfThread('foreign')).toBe('foreign');
  });

  it('sort as plain text', () => {
    const inOrder = ['c--0', 'c-10', 'c-2', 'c.-0', 'c0-0', 'cA-0', 'c_-0', 'ca-0', 'cé-0'];
    expect([...inOrder].reverse().sort(compareThreadIds)).toEqual(inOrder);
    expect(compareThreadIds('a', 'a')).toBe(0);
  });

  it('sort by UTF-16 units, in which a pair comes before a letter above it', () => {
    expect(compareThreadIds('\u{1f600}', '\uff01')).toBe(-1);
  });
});
