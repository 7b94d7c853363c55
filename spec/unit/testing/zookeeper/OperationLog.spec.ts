import { OperationLog, type RecordedOperation } from '../../../../lib/testing/zookeeper/OperationLog';

const MEBI = 1024 * 1024;

function operation(
  zxid: number,
  data: string | null,
  parts: RecordedOperation['parts'] = [],
): RecordedOperation {
  const written = { type: 'set', path: '/a', data, result: 'ok' } as const;
  return { ...written, parts, atMs: 0, sessionId: '0x1', zxid: BigInt(zxid) };
}

function sizeOf(log: OperationLog): number {
  return log.all.reduce((sum, { data, parts }) => {
    return sum + (data?.length ?? 0) + parts.reduce((all, part) => all + (part.data?.length ?? 0), 0);
  }, 0);
}

describe('the log of operations', () => {
  it('forgets the oldest when their data are too much', () => {
    const log = new OperationLog();
    for (let zxid = 1; zxid <= 500; zxid += 1) {
      log.add(operation(zxid, 'x'.repeat(MEBI / 2)));
      expect(sizeOf(log)).toBeLessThanOrEqual(64 * MEBI);
      expect(log.all.at(-1)?.zxid).toBe(BigInt(zxid));
    }
    expect(sizeOf(log)).toBeGreaterThanOrEqual(31 * MEBI);
    const zxids = log.all.map(({ zxid }) => Number(zxid));
    expect(zxids).toEqual(Array.from(zxids, (_, index) => 501 - zxids.length + index));
  });

  it('counts what the parts of a multi write', () => {
    const log = new OperationLog();
    const part = { type: 'set', path: '/a', data: 'x'.repeat(MEBI), result: 'ok' } as const;
    for (let zxid = 1; zxid <= 30; zxid += 1) {
      log.add(operation(zxid, null, [part, part, part, part]));
      expect(sizeOf(log)).toBeLessThanOrEqual(64 * MEBI);
    }
  });

  it('keeps the newest, however large it is', () => {
    const log = new OperationLog();
    for (const zxid of [1, 2]) log.add(operation(zxid, 'x'.repeat(100 * MEBI)));
    expect(log.all.map(({ zxid }) => zxid)).toEqual([2n]);
  });

  it('keeps 100,000 at least if they are small', () => {
    const log = new OperationLog();
    for (let zxid = 1; zxid <= 250_000; zxid += 1) log.add(operation(zxid, 'x'));
    expect(log.all.length).toBeGreaterThanOrEqual(100_000);
    expect(log.all.length).toBeLessThanOrEqual(200_000);
    expect(log.all.at(-1)?.zxid).toBe(250_000n);
  });
});
