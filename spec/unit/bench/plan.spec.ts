import { CODECS, cellName, cellsOf, KAFKAS, SIZES } from '../../../bench/cells';
import { CLIENT_NAMES, CLIENTS, messagesFor } from '../../../bench/clientTable';
import { redCell, rotated } from '../../../bench/measureCell';
import { isRed } from '../../../bench/figures';
import { readOptions, UsageError } from '../../../bench/options';

const ALL = { kafkas: KAFKAS, sizes: SIZES, codecs: CODECS, messages: null };

it('all cells are all combinations, but for zstd, which old brokers do not have', () => {
  const names = cellsOf(ALL).map(cellName);
  expect(names).toHaveLength(18);
  expect(new Set(names).size).toBe(18);
  expect(names.filter((name) => name.includes('zstd'))).toEqual([
    'Kafka 3.9.1, 100 B, zstd',
    'Kafka 3.9.1, 1 KiB, zstd',
  ]);
  expect(names).toContain('Kafka 0.10.2.2, 1 KiB, plain');
});

it('a number of messages goes for all cells, and slow clients read their share of it', () => {
  const cells = cellsOf({ ...ALL, messages: 1000 });
  expect(cells.every(({ messages }) => messages === 1000)).toBe(true);
  const shares = CLIENTS.map((client) => [client.name, messagesFor(client, 1000)]);
  expect(Object.fromEntries(shares)).toMatchObject({ bare: 1000, kafkajs: 250, 'kafka-node': 100 });
  expect(CLIENTS.map((client) => messagesFor(client, 1))).toEqual(CLIENTS.map(() => 1));
});

it('each client is there once', () => {
  expect(CLIENTS.map(({ name }) => name)).toEqual(CLIENT_NAMES);
});

it('each round begins with another client', () => {
  expect([0, 1, 2, 3].map((round) => rotated(['a', 'b', 'c'], round).join(''))).toEqual([
    'abc',
    'bca',
    'cab',
    'abc',
  ]);
  expect(rotated([], 3)).toEqual([]);
});

describe('the options', () => {
  it('are everything, five rounds, saved, without any', () => {
    expect(readOptions([])).toEqual({
      ...ALL,
      clients: CLIENT_NAMES,
      rounds: 5,
      isSaved: true,
      isBuilt: false,
      profile: null,
    });
  });

  it('choose a part, which is not saved unless that is asked for', () => {
    const args = ['--kafka', '3.9.1', '--size', '1024', '--codec', 'zstd,none', '--clients', 'java,bare'];
    expect(readOptions([...args, '--rounds', '2', '--messages', '70'])).toMatchObject({
      ...{ kafkas: ['3.9.1'], sizes: [1024], codecs: ['none', 'zstd'], clients: ['bare', 'java'] },
      ...{ rounds: 2, messages: 70, isSaved: false },
    });
    expect(readOptions([...args, '--save'])).toMatchObject({ isSaved: true });
    expect(readOptions(['--rounds', '1'])).toMatchObject({ isSaved: false });
    expect(readOptions(['--no-build'])).toMatchObject({ isSaved: true, isBuilt: true });
  });

  it('leave little to a quick run, which is not saved', () => {
    const quick = readOptions(['--quick', '--codec', 'gzip']);
    expect(quick).toMatchObject({
      rounds: 1,
      sizes: [100],
      codecs: ['gzip'],
      messages: 300_000,
      isSaved: false,
    });
  });

  it.each([
    [['--kafka', '0.9'], '--kafka: there is no "0.9"; there are 0.10.2.2, 3.9.1'],
    [['--clients', 'bare,'], '--clients: there is no ""; there are connector-batches'],
    [['--rounds', '0'], '--rounds must be a whole number from 1, not "0"'],
    [['--profile', 'java,bare'], '--profile takes one client'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuse %j', (args, text) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(text);
  });
});

it('a cell that cannot be measured is red for all clients', () => {
  const [cell] = cellsOf(ALL);
  if (cell === undefined) throw new Error('no cell');
  const { clients } = redCell(cell, CLIENTS, 'no broker');
  expect(clients.map(({ client }) => client)).toEqual(CLIENT_NAMES);
  expect(clients.every(({ runs }) => runs.length === 1 && runs.every(isRed))).toBe(true);
});
