import { gzipSync, gunzipSync } from 'node:zlib';

import { AllocationMeter } from '../../fuzz/AllocationMeter';

describe('AllocationMeter', () => {
  const meter = new AllocationMeter();
  const bomb = gzipSync(Buffer.alloc(100_000));

  beforeEach(() => meter.install());
  afterEach(() => meter.remove());

  it.each<[string, number, () => unknown]>([
    ['Buffer.alloc', 1000, () => Buffer.alloc(1000)],
    ['Buffer.allocUnsafe', 2000, () => [Buffer.allocUnsafe(500), Buffer.allocUnsafe(1500)]],
    ['Buffer.allocUnsafeSlow', 3000, () => Buffer.allocUnsafeSlow(3000)],
    ['new Uint8Array', 4000, () => new Uint8Array(4000)],
    ['new Int32Array', 4000, () => new Int32Array(1000)],
    ['new ArrayBuffer', 5000, () => new ArrayBuffer(5000)],
    ['new Array', 8000, () => new Array<number>(1000)],
    ['a view, which needs nothing', 0, () => Buffer.from([1, 2, 3]).subarray(1)],
  ])('counts %s', (_name, bytes, work) => {
    expect(meter.measure(() => void work())).toBe(bytes);
  });

  it('counts what node:zlib asks for', () => {
    expect(meter.measure(() => void gunzipSync(bomb))).toBeGreaterThanOrEqual(100_000);
  });

  it('counts what is asked for in vain', () => {
    const bytes = meter.measure(() => {
      expect(() => Buffer.alloc(2 ** 52)).toThrow('out of range');
    });

    expect(bytes).toBeGreaterThanOrEqual(2 ** 52);
  });

  it('leaves everything as it was', () => {
    const now = (): unknown[] => [Reflect.get(Buffer, 'alloc'), Uint8Array, Array];
    const counting = now();
    meter.remove();
    const after = now();

    expect(counting.map((one, index) => one === after[index])).toEqual([false, false, false]);
    expect(new Uint8Array(2)).toBeInstanceOf(Uint8Array);
    expect(Array.isArray([])).toBe(true);
  });
});
