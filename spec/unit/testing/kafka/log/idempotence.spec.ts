import type { Generation } from '../../../../../lib/testing/kafka/Generation';
import { messagesIn } from './support/captures';
import { ALL, newLog, NOW_MS, sequenced } from './support/logs';

const OUT_OF_ORDER = 45;
const OLD_EPOCH = 47;
const UNKNOWN_PRODUCER = 59;
const PRODUCE_VERSION = 5;
const GENERATIONS: readonly Generation[] = ['1.1', '3.9'];

/** Appends and tells what was answered: an offset, or an error. */
function appending(generation: Generation): {
  append: (epoch: number, sequence: number, count?: number) => string;
  log: ReturnType<typeof newLog>;
} {
  const log = newLog(generation);
  const append = (epoch: number, sequence: number, count = 1): string => {
    const { errorCode, baseOffset } = log.append(sequenced(epoch, sequence, count), PRODUCE_VERSION);
    return errorCode === 0 ? `at ${baseOffset}` : `error ${errorCode}`;
  };
  return { append, log };
}

describe.each(GENERATIONS)('an idempotent producer of %s', (generation) => {
  it('is told the old offsets of what it sends twice, as far as five batches go back', () => {
    const { append, log } = appending(generation);
    expect([append(0, 0), append(0, 1, 2), append(0, 3)]).toEqual(['at 0', 'at 1', 'at 3']);
    expect([append(0, 1, 2), append(0, 3), append(0, 0)]).toEqual(['at 1', 'at 3', 'at 0']);
    expect([append(0, 4), append(0, 5), append(0, 6)]).toEqual(['at 4', 'at 5', 'at 6']);
    expect([append(0, 1, 2), append(0, 0)]).toEqual(['at 1', `error ${OUT_OF_ORDER}`]);
    expect(log.endOffset).toBe(7);
    expect(messagesIn(log.read(0, ALL, 2).records)).toHaveLength(7);
  });

  it('is told the time of what it sends twice', () => {
    const { log } = appending(generation);
    const answers = [1, 2].map(() => log.append(sequenced(0, 0, 3), PRODUCE_VERSION));
    expect(answers.map(({ logAppendTimeMs }) => logAppendTimeMs)).toEqual([-1, NOW_MS + 2]);
  });

  it('must not leave sequence numbers out', () => {
    const { append } = appending(generation);
    expect([append(0, 0), append(0, 2), append(0, 1)]).toEqual(['at 0', `error ${OUT_OF_ORDER}`, 'at 1']);
  });

  it('begins at 0 in a new epoch, and ends the old one', () => {
    const { append } = appending(generation);
    expect([append(0, 0), append(1, 1)]).toEqual(['at 0', `error ${OUT_OF_ORDER}`]);
    expect([append(1, 0), append(0, 1), append(1, 1)]).toEqual(['at 1', `error ${OLD_EPOCH}`, 'at 2']);
  });

  it('goes on at 0 behind the largest sequence number', () => {
    const { append } = appending('3.9');
    expect([append(0, 2 ** 31 - 2), append(0, 2 ** 31 - 1, 2), append(0, 1)]).toEqual([
      'at 0',
      'at 1',
      'at 3',
    ]);
  });
});

describe('a producer that the log does not know', () => {
  it('has to begin at 0 in 1.1', () => {
    const { append, log } = appending('1.1');
    expect(append(0, 3)).toBe(`error ${UNKNOWN_PRODUCER}`);
    append(0, 0);
    log.deleteBefore(1);
    expect(append(0, 1)).toBe(`error ${UNKNOWN_PRODUCER}`);
  });

  it('begins where it likes in 3.9, which forgets nobody', () => {
    const { append, log } = appending('3.9');
    expect([append(0, 3), append(0, 4)]).toEqual(['at 0', 'at 1']);
    log.deleteBefore(2);
    expect([append(0, 6), append(0, 5)]).toEqual([`error ${OUT_OF_ORDER}`, 'at 2']);
  });
});
