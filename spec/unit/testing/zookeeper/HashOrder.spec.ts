import { HashOrder, javaHash } from '../../../../lib/testing/zookeeper/tree/HashOrder';

describe('the order of Java hash sets', () => {
  it('hashes are those of Java', () => {
    expect(javaHash('')).toBe(0);
    expect([javaHash('Aa'), javaHash('BB')]).toEqual([2112, 2112]);
    expect(javaHash('polygenelubricants')).toBe(-2147483648);
  });

  it('texts in the same bucket stay in the order in which they came', () => {
    // "Aa" and "BB" have the same hash.
    const set = new HashOrder(8);
    for (const text of ['BB', 'Aa']) set.add(text);
    expect(set.values()).toEqual(['BB', 'Aa']);
    set.delete('BB');
    set.add('BB');
    expect(set.values()).toEqual(['Aa', 'BB']);
  });

  it('a text is there once', () => {
    const set = new HashOrder(8);
    set.add('a');
    set.add('a');
    expect(set.size).toBe(1);
    expect(set.has('a')).toBe(true);
    set.delete('a');
    expect([set.has('a'), set.size, set.values()]).toEqual([false, 0, []]);
  });

  it('buckets become more when three quarters are full, and fewer in a copy', () => {
    // Hashes 97 to 104: 'a' is behind 'h' in 8 buckets, and in front of it in 16.
    const set = new HashOrder(8);
    for (const text of ['h', 'a']) set.add(text);
    expect(set.values()).toEqual(['h', 'a']);
    for (const text of ['b', 'c', 'd', 'e', 'f']) set.add(text);
    expect(set.values()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'h']);
    for (const text of ['b', 'c', 'd', 'e', 'f']) set.delete(text);
    expect(set.values()).toEqual(['a', 'h']);
    expect(set.clone().values()).toEqual(['h', 'a']);
  });
});
