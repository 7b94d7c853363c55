import { partitionGiven, partitionsGiven } from '../../lib/partitionArguments';
import type { TopicPartition } from '../../lib/types';
import { connectorErrorOf } from './connectorErrorOf';

const WANTED = 'pause takes a list of { topic, partition }';
const at = { topic: 't', partition: 0 };

describe('partitions that an application names', () => {
  it('may come in any iterable, and are given back as they are', () => {
    const more = { ...at, nextOffset: 5 };
    expect(partitionsGiven(new Set([at, more]), WANTED)).toEqual([at, more]);
    expect(partitionsGiven([], WANTED)).toEqual([]);
    expect(partitionGiven(more, WANTED)).toBe(more);
  });

  it.each([null, undefined, 5, 't', {}, () => [at]])('are no list: %p', (given) => {
    const error = connectorErrorOf(() => partitionsGiven(given as TopicPartition[], WANTED));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toMatch(/^pause takes a list of \{ topic, partition \}, not /);
  });

  it('are refused all at once', () => {
    const wrong = [null, at, undefined, 'orders/0', { topic: 't' }, { topic: 5, partition: 0 }, [at]];
    const error = connectorErrorOf(() => partitionsGiven(wrong as TopicPartition[], WANTED));
    expect(error.context.faults).toHaveLength(6);
    expect(error.message).toContain('but one is "orders/0" (string)');
    expect(connectorErrorOf(() => partitionGiven(null as unknown as TopicPartition, WANTED)).code).toBe(
      'CONFIG_INVALID',
    );
  });
});
