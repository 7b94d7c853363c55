import { findCoordinatorRequest } from '../../../lib/kafka/findCoordinator';
import { offsetCommitRequest } from '../../../lib/kafka/offsetCommit';
import { offsetFetchRequest } from '../../../lib/kafka/offsetFetch';
import { answerOf, array, bodyOf, int16, int32, int64, string } from './support/bytes';

/** Any int64, as it goes over the wire. */
function bigInt64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

/** Every cut of an answer is refused. */
function expectNoCut(request: Parameters<typeof answerOf>[0], answer: readonly Buffer[]): void {
  const body = Buffer.concat(answer);
  for (let length = 0; length < body.length; length += 1) {
    expect(() => answerOf(request, [body.subarray(0, length)])).toThrow('cut or malformed');
  }
  expect(() => answerOf(request, [body, Buffer.alloc(1)])).toThrow('1 bytes more than expected');
}

describe('findCoordinatorRequest', () => {
  it('asks in version 0 by the name of the group', () => {
    expect(findCoordinatorRequest('g')).toMatchObject({ apiKey: 10, apiVersion: 0 });
    expect(bodyOf(findCoordinatorRequest('gröup'))).toEqual(string('gröup'));
  });

  it('reads the coordinator, or that there is none', () => {
    const answer = [int16(0), int32(2), string('two'), int32(9092)];
    expect(answerOf(findCoordinatorRequest('g'), answer)).toEqual({
      errorCode: 0,
      coordinator: { id: 2, host: 'two', port: 9092 },
    });
    const none = [int16(15), int32(-1), string(''), int32(-1)];
    expect(answerOf(findCoordinatorRequest('g'), none)).toMatchObject({ errorCode: 15 });
    expectNoCut(findCoordinatorRequest('g'), answer);
  });
});

describe('offsetCommitRequest', () => {
  const positions = [
    { topic: 't', partition: 0, nextOffset: 2 ** 40 },
    { topic: 'u', partition: 3, nextOffset: 0 },
    { topic: 't', partition: 1, nextOffset: 7 },
  ];

  it('has in version 1 a time for each partition: now', () => {
    expect(offsetCommitRequest(1, 'g', positions)).toMatchObject({ apiKey: 8, apiVersion: 1 });
    expect(bodyOf(offsetCommitRequest(1, 'g', positions))).toEqual(
      Buffer.concat([
        ...[string('g'), int32(-1), string('')],
        ...[int32(2), string('t')],
        array([
          [int32(0), int64(2 ** 40), int64(-1), string('')],
          [int32(1), int64(7), int64(-1), string('')],
        ]),
        ...[string('u'), array([[int32(3), int64(0), int64(-1), string('')]])],
      ]),
    );
  });

  it("has in version 2 one retention for all: the broker's", () => {
    expect(offsetCommitRequest(2, 'g', positions)).toMatchObject({ apiKey: 8, apiVersion: 2 });
    expect(bodyOf(offsetCommitRequest(2, 'g', positions.slice(1, 2)))).toEqual(
      Buffer.concat([
        ...[string('g'), int32(-1), string(''), int64(-1)],
        ...[int32(1), string('u'), array([[int32(3), int64(0), string('')]])],
      ]),
    );
  });

  it.each([1, 2] as const)(
    'reads version %d: all partitions of all topics, also those of error 0',
    (version) => {
      const answer = [
        array([
          [
            string('t'),
            array([
              [int32(0), int16(0)],
              [int32(1), int16(16)],
            ]),
          ],
          [string('u'), array([[int32(3), int16(12)]])],
        ]),
      ];
      expect(answerOf(offsetCommitRequest(version, 'g', positions), answer)).toEqual([
        { topic: 't', partition: 0, errorCode: 0 },
        { topic: 't', partition: 1, errorCode: 16 },
        { topic: 'u', partition: 3, errorCode: 12 },
      ]);
      expectNoCut(offsetCommitRequest(version, 'g', positions), answer);
    },
  );
});

describe('offsetFetchRequest', () => {
  const partitions = [
    { topic: 't', partition: 0 },
    { topic: 'u', partition: 3 },
    { topic: 't', partition: 1 },
  ];
  const stored = array([
    [
      string('t'),
      array([
        [int32(0), bigInt64(0n), string(''), int16(0)],
        [int32(1), bigInt64(-1n), string(null), int16(0)],
      ]),
    ],
    [
      string('u'),
      array([
        [int32(3), bigInt64(2n ** 63n - 1n), string('of somebody'), int16(0)],
        [int32(4), bigInt64(-(2n ** 63n)), string(''), int16(3)],
      ]),
    ],
  ]);
  const read = [
    { topic: 't', partition: 0, offset: 0n, errorCode: 0 },
    { topic: 't', partition: 1, offset: -1n, errorCode: 0 },
    { topic: 'u', partition: 3, offset: 2n ** 63n - 1n, errorCode: 0 },
    { topic: 'u', partition: 4, offset: -(2n ** 63n), errorCode: 3 },
  ];

  it.each([1, 2] as const)('asks in version %d topic by topic', (version) => {
    expect(offsetFetchRequest(version, 'g', partitions)).toMatchObject({ apiKey: 9, apiVersion: version });
    expect(bodyOf(offsetFetchRequest(version, 'g', partitions))).toEqual(
      Buffer.concat([
        ...[string('g'), int32(2)],
        ...[string('t'), array([[int32(0)], [int32(1)]])],
        ...[string('u'), array([[int32(3)]])],
      ]),
    );
  });

  it('refuses an empty list, which would mean all partitions', () => {
    expect(() => offsetFetchRequest(1, 'g', [])).toThrow(RangeError);
  });

  it('reads version 1, with any offset there is', () => {
    expect(answerOf(offsetFetchRequest(1, 'g', partitions), [stored])).toEqual(read);
    expectNoCut(offsetFetchRequest(1, 'g', partitions), [stored]);
  });

  it('reads version 2, whose error of the group is told of each partition that was asked for', () => {
    const request = offsetFetchRequest(2, 'g', partitions);
    expect(answerOf(request, [stored, int16(0)])).toEqual(read);
    expect(answerOf(request, [array([]), int16(30)])).toEqual(
      partitions.map((at) => ({ ...at, errorCode: 30, offset: -1n })),
    );
    expectNoCut(request, [stored, int16(0)]);
  });
});
