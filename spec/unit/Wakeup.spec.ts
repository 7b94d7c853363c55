import { getEventListeners } from 'node:events';

import { Wakeup } from '../../lib/Wakeup';
import { isPending } from './stream/support/parts';

describe('Wakeup', () => {
  const never = new AbortController().signal;

  it('waits for the next wake-up', async () => {
    const wakeup = new Wakeup();
    const waiting = wakeup.wait(never);
    expect(await isPending(waiting)).toBe(true);
    wakeup.wake();
    await waiting;
    expect(await isPending(wakeup.wait(never))).toBe(true);
  });

  it('remembers a wake-up that comes while nobody waits, once', async () => {
    const wakeup = new Wakeup();
    wakeup.wake();
    wakeup.wake();
    await wakeup.wait(never);
    expect(await isPending(wakeup.wait(never))).toBe(true);
  });

  it('ends a wait after its time, and leaves no wake-up behind', async () => {
    const wakeup = new Wakeup();
    await wakeup.wait(never, 5);
    expect(await isPending(wakeup.wait(never))).toBe(true);
  });

  it('does not wait with a signal that is aborted, and ends with one that will be', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const wakeup = new Wakeup();
    const waiting = wakeup.wait(signal, 60_000);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    controller.abort();
    await waiting;
    await wakeup.wait(signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  it('takes its listener off the signal when it is woken', async () => {
    const { signal } = new AbortController();
    const wakeup = new Wakeup();
    for (let round = 0; round < 3; round += 1) {
      const waiting = wakeup.wait(signal, 60_000);
      wakeup.wake();
      await waiting;
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
