import fc from 'fast-check';

import { Measure } from '../../../bench/clients/Measure';
import type { ClientReport } from '../../../bench/clients/job';

const valueOf = (id: number, rest: string): Buffer =>
  Buffer.from(`{"id":"${String(id).padStart(10, '0')}",${rest}}`);
const VALUES = Array.from({ length: 50 }, (_, id) => valueOf(id * 997, `"note":"number ${id} of some"`));

function reportOf(values: readonly Buffer[]): ClientReport {
  const measure = new Measure({ messages: values.length, profileFile: null });
  const ends = values.map((value) => measure.add(value));
  expect(ends.indexOf(true)).toBe(values.length - 1);
  return measure.report();
}

const { checksum } = reportOf(VALUES);

describe('the checksum of values', () => {
  it('is the same in any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(VALUES, { minLength: VALUES.length }), (values) => {
        expect(reportOf(values)).toMatchObject({ messages: VALUES.length, checksum });
      }),
    );
  });

  it('tells a message that was read twice in place of another', () => {
    const index = fc.nat({ max: VALUES.length - 1 });
    fc.assert(
      fc.property(index, index, (lost, repeated) => {
        fc.pre(lost !== repeated);
        const values = VALUES.with(lost, VALUES[repeated] ?? Buffer.alloc(0));
        expect(reportOf(values).checksum).not.toBe(checksum);
      }),
    );
  });

  it('is that of the Java loader', () => {
    // Made by bench/java/Checksum.java of the same three values.
    expect(reportOf([1, 22, 333].map((id) => valueOf(id, '"a":1'))).checksum).toBe(-1_355_401_509);
  });
});

it('a message without a value is a fault, since all have one', () => {
  const measure = new Measure({ messages: 1, profileFile: null });
  expect(() => measure.add(null)).toThrow('a message without a value');
});

it('times and processor times begin with the first message', () => {
  const report = reportOf(VALUES);
  expect(report.tookMs).toBeGreaterThanOrEqual(0);
  expect(report.steadyCpuMs).toBeLessThanOrEqual(report.cpuMs);
  expect(report.maxRssBytes).toBeGreaterThan(1 << 20);
});
