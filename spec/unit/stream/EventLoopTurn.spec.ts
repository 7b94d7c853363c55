import { EventLoopTurn } from '../../../lib/stream/EventLoopTurn';

describe('EventLoopTurn', () => {
  it('is due when hand-outs have gone on for 5 ms, and no longer after a turn', async () => {
    const moments = [performance.now()];
    const turn = new EventLoopTurn();
    moments.push(performance.now());
    // However long each step takes here, the turn was between two moments.
    expect([turn.isDue((moments[0] ?? 0) + 4.9), turn.isDue((moments[1] ?? 0) + 5)]).toEqual([false, true]);
    while (performance.now() < (moments[1] ?? 0) + 5);
    moments.push(performance.now());
    expect(turn.isDue(performance.now())).toBe(true);
    await new Promise<void>((resolve) => turn.give(resolve));
    expect(turn.isDue((moments[2] ?? 0) + 4.9)).toBe(false);
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
