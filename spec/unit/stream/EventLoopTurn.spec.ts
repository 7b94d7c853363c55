import { EventLoopTurn } from '../../../lib/stream/EventLoopTurn';

describe('EventLoopTurn', () => {
  it('is due when hand-outs have gone on for 5 ms, and no longer after a turn', async () => {
    const turn = new EventLoopTurn();
    const nowMs = performance.now();
    expect([turn.isDue(nowMs), turn.isDue(nowMs + 4), turn.isDue(nowMs + 6)]).toEqual([false, false, true]);
    const endMs = performance.now() + 12;
    while (performance.now() < endMs);
    expect(turn.isDue(performance.now())).toBe(true);
    await new Promise<void>((resolve) => turn.give(resolve));
    expect(turn.isDue(performance.now())).toBe(false);
  });

  it('lets all who wait go on in one turn', async () => {
    const turn = new EventLoopTurn();
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      turn.give(() => {
        order.push('first');
        queueMicrotask(() => order.push('what the first set off'));
        turn.give(resolve);
      });
      turn.give(() => order.push('second'));
    });
    expect(order).toEqual(['first', 'second', 'what the first set off']);
  });
});
