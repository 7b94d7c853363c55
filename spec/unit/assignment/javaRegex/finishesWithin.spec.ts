import { finishesWithin } from '../../../../lib/assignment/javaRegex/finishesWithin';

describe('finishesWithin', () => {
  it.each([20, -5])('interrupts what would not end, within %s ms', (limitMs) => {
    const forEver = (): void => {
      for (;;);
    };
    expect(finishesWithin(limitMs, forEver)).toBe(false);
  });

  it('lets other work be done to its end, and its errors through', () => {
    let count = 0;
    const work = (): void => {
      count++;
    };
    expect(finishesWithin(1000, work)).toBe(true);
    expect(count).toBe(1);
    const fault = new TypeError('fault');
    expect(() =>
      finishesWithin(1000, () => {
        throw fault;
      }),
    ).toThrow(fault);
  });
});
