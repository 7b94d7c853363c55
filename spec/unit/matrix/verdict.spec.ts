import { codecsOf, formatOf, versionsIn } from '../../matrix/releases';
import { withCells, type CodecResult, type MatrixCell } from '../../matrix/results';
import { redReasons, verdictsOf } from '../../matrix/verdict';
import { versionInAnswer } from '../../matrix/versions';
import { greenCell } from './support/greenCell';

const ZSTD: CodecResult = { produced: 100, delivered: 100, format: '2', fetch: 'v10' };
const RELEASES = ['0.8.1.1', '0.10.2.2', '2.8.2-zookeeper-3.6.4', '3.9.1'];

describe('a cell of the matrix', () => {
  it.each(RELEASES)('is green if everything of %s was right', (release) => {
    expect(redReasons(greenCell(release))).toEqual([]);
  });

  it.each<[string, Partial<MatrixCell>, string]>([
    ['without any message', { codecs: {} }, 'no message with the codec gzip'],
    ['with an error', { errors: ['a broker stops: no'] }, 'a broker stops: no'],
    ['whose brokers are another release', { kafka: '3.9.0' }, 'the brokers are of Kafka 3.9.0'],
    ['whose brokers are unknown', { kafka: '' }, 'the brokers are of Kafka unknown'],
    ['whose server is unknown', { zookeeper: '' }, 'the server is ZooKeeper unknown'],
    ['whose producer is another release', { producer: '0.8.2.2' }, 'the producer is that of Kafka 0.8.2.2'],
    ['without a rebalance', { rebalances: 0 }, 'no rebalance'],
    ['without a message for the JVM’s member', { jvmDelivered: 0 }, 'no message for the JVM’s member'],
  ])('is red %s', (_, change, reason) => {
    expect(redReasons({ ...greenCell('3.9.1'), ...change })).toContain(reason);
  });

  it.each<[string, Partial<CodecResult>, string]>([
    ['was not handed out', { delivered: 0 }, 'no message with the codec zstd'],
    ['lacks one message', { delivered: 99 }, '99 of 100 messages with the codec zstd'],
    ['came converted', { format: '1' }, 'the codec zstd came in format 1 instead of 2'],
    ['came converted at times', { format: '1, 2' }, 'the codec zstd came in format 1, 2 instead of 2'],
    ['was not looked at', { format: '' }, 'the codec zstd came in format unknown instead of 2'],
  ])('is red if a codec %s', (_, change, reason) => {
    const cell = greenCell('3.9.1');
    const codecs = { ...cell.codecs, zstd: { ...ZSTD, ...change } };
    expect(redReasons({ ...cell, codecs })).toEqual([reason]);
  });

  it('is red if the server is not the ZooKeeper that was asked for', () => {
    const cell = { ...greenCell('2.8.2-zookeeper-3.6.4'), zookeeper: '3.5.9' };
    expect(redReasons(cell)).toEqual(['the server is ZooKeeper 3.5.9']);
  });
});

describe('the verdicts', () => {
  const cells = [greenCell('2.8.2'), greenCell('0.8.1.1')];

  it('are in the order of versions, with a reason for a release without a cell, and for a cell without jars', () => {
    expect(verdictsOf({ cells }, ['0.8.1.1', '0.10.2.2']).rows).toEqual([
      { release: '0.8.1.1', cell: cells[1], reasons: [] },
      { release: '0.10.2.2', cell: null, reasons: ['it was not run'] },
      { release: '2.8.2', cell: cells[0], reasons: ['there are no jars of it'] },
    ]);
  });

  it('name the versions of Kafka and the series of ZooKeeper that no cell has', () => {
    expect(verdictsOf({ cells: [] }, []).lacks).toEqual([
      ...['0.8.1.1', '0.8.2.2', '0.9.0.1', '0.10.2.2'].map((kafka) => `Kafka ${kafka}`),
      ...['0.11.0.3', '1.1.1', '2.8.2', '3.9.1'].map((kafka) => `Kafka ${kafka}`),
      ...['3.4.6', '3.5', '3.6 or 3.7', '3.8', '3.9'].map((zookeeper) => `ZooKeeper ${zookeeper}`),
    ]);
    const { lacks } = verdictsOf({ cells: [...cells, { ...greenCell('3.9.1'), zookeeper: '3.7.2' }] }, []);
    expect(lacks.filter((lack) => /3\.(7|9\.1)/.test(lack))).toEqual([]);
    expect(lacks).toContain('ZooKeeper 3.9');
  });
});

describe('the results', () => {
  it('keep the newest cell of each release, in the order of versions', () => {
    const [old, newer] = [greenCell('0.10.2.2'), { ...greenCell('0.10.2.2'), rebalances: 77 }];
    const results = withCells({ cells: [greenCell('1.1.1'), old] }, [newer, greenCell('0.8.2.2')]);
    expect(results.cells.map(({ release, rebalances }) => [release, rebalances])).toEqual([
      ['0.8.2.2', greenCell('0.8.2.2').rebalances],
      ['0.10.2.2', 77],
      ['1.1.1', greenCell('1.1.1').rebalances],
    ]);
  });
});

describe('what a release is known by', () => {
  it('are the versions in the name of its folder', () => {
    expect(versionsIn('0.8.1.1')).toEqual({ kafka: '0.8.1.1', zookeeper: null });
    expect(versionsIn('2.8.2-zookeeper-3.6.4')).toEqual({ kafka: '2.8.2', zookeeper: '3.6.4' });
  });

  it.each([
    ['0.8.1.1', 'none gzip snappy', 0],
    ['0.8.2.2', 'none gzip snappy lz4', 0],
    ['0.9.0.1', 'none gzip snappy lz4', 0],
    ['0.10.2.2', 'none gzip snappy lz4', 1],
    ['0.11.0.3', 'none gzip snappy lz4', 2],
    ['1.1.1', 'none gzip snappy lz4', 2],
    ['2.8.2', 'none gzip snappy lz4 zstd', 2],
    ['3.9.1', 'none gzip snappy lz4 zstd', 2],
  ])('are the codecs and the format of %s', (kafka, codecs, format) => {
    expect(codecsOf(kafka).join(' ')).toBe(codecs);
    expect(formatOf(kafka)).toBe(format);
  });

  it('is what the ZooKeeper server says', () => {
    expect(versionInAnswer('Zookeeper version: 3.4.6-1569965, built on 02/20/2014 09:09 GMT\nMode: x')).toBe(
      '3.4.6',
    );
    expect(versionInAnswer('Zookeeper version: 3.9.5-c25caf3e, built on 2025')).toBe('3.9.5');
    expect(versionInAnswer('srvr is not executed because it is not in the whitelist.')).toBe('');
  });
});
