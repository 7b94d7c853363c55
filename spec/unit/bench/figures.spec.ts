import fc from 'fast-check';

import { faultOf, medianOf, ratioOf, spreadOf, type Run, type RunFigures } from '../../../bench/figures';

const speed = (messagesPerSecond: number): RunFigures => ({
  messagesPerSecond,
  steadyCpuMicros: 1,
  cpuMicros: 2,
  maxRssBytes: 3,
  brokerCpuMicros: 4,
  otherCores: 0,
});
const speeds = (...values: number[]): Run[] => values.map(speed);
const bySpeed = (run: RunFigures): number => run.messagesPerSecond;

describe('the median', () => {
  it('is the middle one, or the mean of the two in the middle', () => {
    expect(medianOf([5, 1, 100])).toBe(5);
    expect(medianOf([4, 1, 100, 6])).toBe(5);
    expect(medianOf([7])).toBe(7);
    expect(medianOf([])).toBeNaN();
  });

  it('has as many values above it as below, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
        const median = medianOf(values);
        const above = values.filter((value) => value > median).length;
        const below = values.filter((value) => value < median).length;
        expect(Math.max(above, below)).toBeLessThanOrEqual(values.length / 2);
        expect(medianOf(values.toReversed())).toBe(median);
      }),
    );
  });

  it('stands with the least and the greatest in a spread', () => {
    expect(spreadOf([3, 9, 4])).toEqual({ median: 4, min: 3, max: 9 });
  });
});

describe('the ratio of two clients', () => {
  it('is the median of what they reached in the same rounds', () => {
    // A machine that is twice as slow in the second round and ten times in the third says nothing about the clients.
    expect(ratioOf(speeds(90, 40, 9.5), speeds(100, 50, 10), bySpeed)).toBeCloseTo(0.9);
  });

  it('does not exist when a run of one of them is red, or none was made', () => {
    const red: Run[] = [speed(1), { red: 'read 1 of 2 messages' }];
    expect(ratioOf(red, speeds(1, 1), bySpeed)).toBeNull();
    expect(ratioOf(speeds(1, 1), red, bySpeed)).toBeNull();
    expect(ratioOf([], speeds(1), bySpeed)).toBeNull();
    expect(ratioOf(undefined, speeds(1), bySpeed)).toBeNull();
  });
});

describe('what a client read', () => {
  const loaded = { messages: 2, checksum: 17 };

  it('is right with the count and the checksum of what was loaded', () => {
    expect(faultOf({ ...loaded }, loaded)).toBeNull();
  });

  it.each([
    [{ messages: 1, checksum: 17 }, 'read 1 of 2 messages'],
    [{ messages: 3, checksum: 17 }, 'read 3 of 2 messages'],
    [{ messages: 2, checksum: -17 }, 'the checksum of its 2 messages is wrong'],
  ])('is a fault as %j', (read, fault) => {
    expect(faultOf(read, loaded)).toBe(fault);
  });
});
