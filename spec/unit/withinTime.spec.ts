import { untilAnyAborted } from '../../lib/offsets/untilAnyAborted';
import { withinTime } from '../../lib/withinTime';
import { leavesNothing } from './kafka/support/leavesNothing';

const LATE = new Error('late');
const never = (): Promise<never> => new Promise(() => undefined);
const limit = (limitMs: number, signal = new AbortController().signal) => ({
  limitMs,
  signal,
  late: () => LATE,
});

describe('withinTime', () => {
  it('gives the result of the work, or its error', async () => {
    await leavesNothing(async () => {
      const failure = new TypeError('of the work');
      await expect(withinTime(limit(60_000), () => Promise.resolve(5))).resolves.toBe(5);
      await expect(withinTime(limit(60_000), () => Promise.reject(failure))).rejects.toBe(failure);
    });
  });

  it('rejects when the time is over, and tells the work', async () => {
    let told: AbortSignal | undefined;
    const work = (signal: AbortSignal): Promise<never> => {
      told = signal;
      return never();
    };
    await expect(withinTime(limit(5), work)).rejects.toBe(LATE);
    expect(told?.aborted).toBe(true);
  });

  it('rejects with the reason of the signal, and does not begin if it is aborted', async () => {
    await leavesNothing(async () => {
      const ending = new AbortController();
      const reason = new Error('ended');
      const work = jest.fn(never);
      const running = withinTime(limit(60_000, ending.signal), work);
      ending.abort(reason);
      await expect(running).rejects.toBe(reason);
      await expect(withinTime(limit(60_000, ending.signal), work)).rejects.toBe(reason);
      expect(work).toHaveBeenCalledTimes(1);
    });
  });
});

describe('untilAnyAborted', () => {
  it.each([0, 1])('aborts the work with signal %d, before the work or in it', async (which) => {
    const endings = [new AbortController(), new AbortController()];
    const signals = endings.map(({ signal }) => signal);
    const during = await untilAnyAborted(signals, (signal) => {
      const before = signal.aborted;
      endings[which]?.abort('reason');
      return Promise.resolve([before, signal.aborted, signal.reason]);
    });
    expect(during).toEqual([false, true, 'reason']);
    await expect(untilAnyAborted(signals, ({ aborted }) => Promise.resolve(aborted))).resolves.toBe(true);
  });

  it('does not listen when the work is over', async () => {
    const ending = new AbortController();
    const signal = await untilAnyAborted([ending.signal], (given) => Promise.resolve(given));
    ending.abort();
    expect(signal.aborted).toBe(false);
  });
});
