import { fetcherIdOf } from '../../../lib/fetch/fetcherId';

function ids(topic: string, numFetchers: number): string {
  return Array.from({ length: 12 }, (_, partition) => fetcherIdOf(topic, partition, numFetchers)).join('');
}

describe('fetcherIdOf', () => {
  it('is the same as in the JVM', () => {
    expect([ids('t12', 1), ids('t12', 2), ids('t12', 3)]).toEqual([
      '000000000000',
      '101010101010',
      '201201201201',
    ]);
  });

  it('is a fetcher that there is, whatever the topic', () => {
    for (const topic of ['a', 'orders', 'x'.repeat(249), 'polygenelubricants', 'Z'.repeat(17)]) {
      for (let partition = 0; partition < 100; partition += 1) {
        const id = fetcherIdOf(topic, partition, 7);
        expect(Number.isInteger(id) && id >= 0 && id < 7).toBe(true);
      }
    }
  });

  it('takes the least int for 0, as Kafka does', () => {
    // 31 * hash("polygenelubricants") is the least int, since its hash is.
    expect(fetcherIdOf('polygenelubricants', 0, 7)).toBe(0);
  });
});
