import { getEventListeners } from 'node:events';

import { delay } from '../../lib/delay';

describe('delay', () => {
  it('resolves after its time and takes its listener off', async () => {
    const { signal } = new AbortController();
    const startedMs = performance.now();
    await delay(15, signal);
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(13);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('resolves at once when the signal is aborted, before or meanwhile', async () => {
    const controller = new AbortController();
    const waiting = delay(60_000, controller.signal);
    controller.abort();
    await waiting;
    await delay(60_000, controller.signal);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });
});
