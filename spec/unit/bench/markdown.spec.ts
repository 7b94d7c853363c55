import type { ClientName } from '../../../bench/clientTable';
import type { Run } from '../../../bench/figures';
import { clientRow, rate, ratioText, resultsMarkdown } from '../../../bench/markdown';
import type { BenchResults, CellResult } from '../../../bench/results';

const figures = (messagesPerSecond: number, steadyCpuMicros = 1, otherCores = 0.26): Run => ({
  messagesPerSecond,
  steadyCpuMicros,
  cpuMicros: 2 * steadyCpuMicros,
  maxRssBytes: 100 << 20,
  brokerCpuMicros: 0.125,
  otherCores,
});

function cellOf(runs: Partial<Record<ClientName, Run[]>>): CellResult {
  const clients = Object.entries(runs).map(([client, list]) => ({
    client: client as ClientName,
    messages: 2_000_000,
    runs: list,
  }));
  return { kafka: '3.9.1', sizeBytes: 1024, codec: 'lz4', messages: 2_000_000, clients };
}

const ratio = { ours: 'connector-batches', theirs: 'bare', goal: 0.7 } as const;

describe('a ratio', () => {
  it('gives speed and processor time, both the greater the better', () => {
    const cell = cellOf({ 'connector-batches': [figures(80, 0.5)], bare: [figures(100, 0.3)] });
    expect(ratioText(cell, ratio)).toBe('0.80 (0.60)');
  });

  it('is marked when it is below its goal', () => {
    const cell = cellOf({ 'connector-batches': [figures(69)], bare: [figures(100)] });
    expect(ratioText(cell, ratio)).toBe('**0.69 (1.00), below 0.7**');
    expect(ratioText(cell, { ours: 'connector-batches', theirs: 'bare' })).toBe('0.69 (1.00)');
  });

  it('is a dash where a client is red, without the codec, or was not run', () => {
    const red = cellOf({ 'connector-batches': [figures(80), { red: 'x' }], bare: [figures(1), figures(1)] });
    expect(ratioText(red, ratio)).toBe('-');
    expect(ratioText(cellOf({ 'connector-batches': [figures(80)], bare: [] }), ratio)).toBe('-');
    expect(ratioText(cellOf({ 'connector-batches': [figures(80)] }), ratio)).toBe('-');
  });
});

describe('the line of a client', () => {
  const row = (runs: Run[]): string[] => clientRow({ client: 'bare', messages: 2_000_000, runs });

  it('has medians with the least and the greatest', () => {
    expect(row([figures(3_000_000, 0.2), figures(1_500_000, 0.4), figures(900_000, 0.3)])).toEqual([
      'bare loop',
      '2,000,000',
      '1.50M',
      '900k to 3.00M',
      '0.30',
      '0.20 to 0.40',
      '0.60',
      '100',
      '0.13',
      '0.3',
    ]);
  });

  it('is red with its reason when one run of many did not read everything', () => {
    const [, , text] = row([figures(1), { red: 'read 9 of 10 messages' }, figures(1)]);
    expect(text).toBe('**RED: read 9 of 10 messages**');
  });

  it('says that there is no such codec, and is not left out', () => {
    expect(row([]).slice(0, 3)).toEqual(['bare loop', '2,000,000', 'no such codec']);
  });
});

it('rates have three digits', () => {
  expect([3_874_000, 412_400, 12_340, 940].map(rate)).toEqual(['3.87M', '412k', '12.3k', '0.9k']);
});

const resultsOf = (...cells: CellResult[]): BenchResults => ({
  date: '2026-11-30',
  commit: 'abcdef1',
  command: 'npm run bench',
  rounds: 5,
  tookMinutes: 41.3,
  machine: {
    ...{ cores: 2, processor: 'some', memoryGib: 24, system: 'Linux 6', node: '20.20.2', java: '17.0.15' },
    ...{ loadBefore: [0.25, 1, 2], loadAfter: [2, 1, 0] },
  },
  cells,
});

it('the page says how it was made, and has a line for each cell and each client in tables of one width', () => {
  const page = resultsMarkdown(
    resultsOf(cellOf({ 'connector-batches': [figures(50)], bare: [figures(100)], 'kafka-node': [] })),
  );
  expect(page).toContain('on 2026-11-30 at commit abcdef1; it took 41 minutes');
  expect(page).toContain('Node 20.20.2, Java 17.0.15');
  expect(page).toContain('load average 0.3, 1.0, 2.0 before and 2.0, 1.0, 0.0 after');
  expect(page).toMatch(/^\| Kafka 3\.9\.1, 1 KiB, lz4 +\| \*\*0\.50 \(1\.00\), below 0\.7\*\* /m);
  expect(page).toMatch(/^\| kafka-node 5, ConsumerGroup +\| 2,000,000 +\| no such codec/m);
  for (const table of page
    .split(/\n(?!\|)/)
    .filter((part) => part.startsWith('\n|') || part.startsWith('|'))) {
    expect(
      new Set(
        table
          .trim()
          .split('\n')
          .map((line) => line.length),
      ).size,
    ).toBe(1);
  }
});

describe('the page says whether the machine was quiet', () => {
  const pageWith = (...otherCores: number[]): string =>
    resultsMarkdown(resultsOf(cellOf({ bare: otherCores.map((cores) => figures(1, 1, cores)) })));

  it('by the median run', () => {
    expect(pageWith(0.1, 0.2, 1.9)).toContain('- In the median run other processes kept 0.20 cores busy.');
  });

  it('and warns if it was not', () => {
    expect(pageWith(0.1, 0.3, 1.9)).toContain('kept 0.30 cores busy: compare processor times, not speeds.**');
  });
});
