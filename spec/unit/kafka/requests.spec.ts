import fc from 'fast-check';
import { ConnectorError } from '../../../lib/errors';
import { apiVersionsRequest } from '../../../lib/kafka/apiVersions';
import { fetchRequest, type FetchVersion } from '../../../lib/kafka/fetch';
import { listOffsetsRequest } from '../../../lib/kafka/listOffsets';
import { findCoordinatorRequest } from '../../../lib/kafka/findCoordinator';
import { metadataRequest } from '../../../lib/kafka/metadata';
import { offsetCommitRequest } from '../../../lib/kafka/offsetCommit';
import { offsetFetchRequest } from '../../../lib/kafka/offsetFetch';
import { ByteReader } from '../../../lib/kafka/wire';
import { answerOf, array, bodyOf, bytes, int16, int32, int64, int8, string } from './support/bytes';

describe('apiVersionsRequest', () => {
  it('asks with an empty body and reads the table', () => {
    const request = apiVersionsRequest();

    expect(request).toMatchObject({ apiKey: 18, apiVersion: 0 });
    expect(bodyOf(request)).toHaveLength(0);
    expect(answerOf(request, [int16(0), array([[int16(1), int16(0), int16(11)]])])).toEqual({
      errorCode: 0,
      apis: [{ apiKey: 1, min: 0, max: 11 }],
    });
  });
});

describe('metadataRequest', () => {
  const partitions = [
    [int16(0), int32(0), int32(1), array([[int32(1)], [int32(2)]]), array([[int32(1)]])],
    [int16(5), int32(1), int32(-1), array([[int32(2)]]), array([])],
  ];
  const topics = [
    {
      name: 't',
      errorCode: 0,
      partitions: [
        { id: 0, errorCode: 0, leader: 1 },
        { id: 1, errorCode: 5, leader: -1 },
      ],
    },
    { name: 'missing', errorCode: 3, partitions: [] },
  ];
  const brokers = [
    { id: 1, host: 'one', port: 9092 },
    { id: 2, host: '::1', port: 9093 },
  ];

  it('asks for topics by name, and from version 4 that none is created', () => {
    const names = Buffer.concat([int32(2), string('t'), string('ü')]);

    expect(bodyOf(metadataRequest(0, ['t', 'ü']))).toEqual(names);
    expect(bodyOf(metadataRequest(1, ['t', 'ü']))).toEqual(names);
    expect(bodyOf(metadataRequest(4, ['t', 'ü']))).toEqual(Buffer.concat([names, int8(0)]));
    expect(metadataRequest(4, ['t'])).toMatchObject({ apiKey: 3, apiVersion: 4 });
  });

  it('refuses an empty list, which would mean every topic (KAFKA-1087)', () => {
    expect(() => metadataRequest(1, [])).toThrow(RangeError);
  });

  it('reads version 0', () => {
    const answer = [
      array([
        [int32(1), string('one'), int32(9092)],
        [int32(2), string('::1'), int32(9093)],
      ]),
      array([
        [int16(0), string('t'), array(partitions)],
        [int16(3), string('missing'), array([])],
      ]),
    ];

    expect(answerOf(metadataRequest(0, ['t']), answer)).toEqual({ brokers, topics });
  });

  it.each([1, 4] as const)('reads version %d', (version) => {
    const answer = [
      ...(version === 4 ? [int32(0)] : []),
      array([
        [int32(1), string('one'), int32(9092), string(null)],
        [int32(2), string('::1'), int32(9093), string('rack')],
      ]),
      ...(version === 4 ? [string('cluster')] : []),
      int32(1),
      array([
        [int16(0), string('t'), int8(0), array(partitions)],
        [int16(3), string('missing'), int8(0), array([])],
      ]),
    ];

    expect(answerOf(metadataRequest(version, ['t']), answer)).toEqual({ brokers, topics });
  });
});

describe('listOffsetsRequest', () => {
  const queries = [
    { topic: 't', partition: 0, time: 'smallest' },
    { topic: 'u', partition: 4, time: 'largest' },
    { topic: 't', partition: 1, time: 'largest' },
  ] as const;

  it('asks in version 0 for one offset each, topic by topic', () => {
    const expected = Buffer.concat([
      int32(-1),
      int32(2),
      string('t'),
      array([
        [int32(0), int64(-2), int32(1)],
        [int32(1), int64(-1), int32(1)],
      ]),
      string('u'),
      array([[int32(4), int64(-1), int32(1)]]),
    ]);

    expect(bodyOf(listOffsetsRequest(0, queries, 'read_committed'))).toEqual(expected);
  });

  it('asks in version 1 without a count', () => {
    const expected = Buffer.concat([int32(-1), int32(1), string('t'), array([[int32(0), int64(-2)]])]);

    expect(bodyOf(listOffsetsRequest(1, queries.slice(0, 1), 'read_committed'))).toEqual(expected);
  });

  it.each([
    ['read_uncommitted', 0],
    ['read_committed', 1],
  ] as const)('asks in version 2 for %s, too', (level, code) => {
    const expected = Buffer.concat([
      int32(-1),
      int8(code),
      int32(1),
      string('t'),
      array([[int32(0), int64(-2)]]),
    ]);

    expect(bodyOf(listOffsetsRequest(2, queries.slice(0, 1), level))).toEqual(expected);
  });

  it('reads version 0, where nothing and an error are no offset', () => {
    const answer = array([
      [
        string('t'),
        array([
          [int32(0), int16(0), array([[int64(2 ** 40)], [int64(0)]])],
          [int32(1), int16(0), array([])],
          [int32(2), int16(6), array([[int64(7)]])],
          [int32(3), int16(0), array([[int64(0)]])],
        ]),
      ],
    ]);

    expect(answerOf(listOffsetsRequest(0, queries, 'read_committed'), [answer])).toEqual([
      { topic: 't', partition: 0, errorCode: 0, offset: 2 ** 40 },
      { topic: 't', partition: 1, errorCode: 0, offset: null },
      { topic: 't', partition: 2, errorCode: 6, offset: null },
      { topic: 't', partition: 3, errorCode: 0, offset: 0 },
    ]);
  });

  it.each([1, 2] as const)('reads version %d', (version) => {
    const answer = array([
      [
        string('t'),
        array([
          [int32(0), int16(0), int64(-1), int64(42)],
          [int32(1), int16(3), int64(-1), int64(-1)],
        ]),
      ],
    ]);
    const throttle = version === 2 ? [int32(17)] : [];

    expect(answerOf(listOffsetsRequest(version, queries, 'read_committed'), [...throttle, answer])).toEqual([
      { topic: 't', partition: 0, errorCode: 0, offset: 42 },
      { topic: 't', partition: 1, errorCode: 3, offset: null },
    ]);
  });
});

const FETCH_VERSIONS = [0, 1, 2, 3, 4, 10] as const;

describe('fetchRequest', () => {
  const positions = [
    { topic: 'u', partition: 2, offset: 2 ** 40, maxBytes: 1000 },
    { topic: 't', partition: 1, offset: 0, maxBytes: 2000 },
    { topic: 'u', partition: 0, offset: 5, maxBytes: 3000 },
  ];
  const args = {
    ...{ maxWaitMs: 100, minBytes: 1, maxBytes: 5000, partitions: positions },
    isolationLevel: 'read_committed',
  } as const;
  const aborted = [
    { producerId: 2 ** 40, firstOffset: 7 },
    { producerId: 0, firstOffset: 2 ** 41 },
  ];
  /** `since` a version an answer has these parts. */
  const sinceIn =
    (version: FetchVersion) =>
    (first: number, ...parts: Buffer[]): Buffer[] =>
      version >= first ? parts : [];
  const answer = (version: FetchVersion, errorCode = 0): Buffer[] => {
    const since = sinceIn(version);
    const lengthsOf = (transactions: Buffer): Buffer[] => [
      ...since(4, int64(2 ** 40 + 3)),
      ...since(5, int64(11)),
      ...since(4, transactions),
    ];
    const transactions = array(
      aborted.map(({ producerId, firstOffset }) => [int64(producerId), int64(firstOffset)]),
    );
    return [
      ...since(1, int32(17)),
      ...since(7, int16(errorCode), int32(0)),
      array([
        [
          string('u'),
          array([
            [int32(2), int16(0), int64(2 ** 40 + 9), ...lengthsOf(transactions), bytes(Buffer.from('set'))],
            [int32(0), int16(1), int64(-1), ...lengthsOf(int32(-1)), bytes(Buffer.alloc(0))],
          ]),
        ],
        [string('t'), array([[int32(1), int16(76), int64(-1), ...lengthsOf(int32(0)), bytes(null)]])],
      ]),
    ];
  };

  it.each(FETCH_VERSIONS)(
    'asks in version %d for partitions in the order given, topic by topic',
    (version) => {
      const since = sinceIn(version);
      const position = (partition: number, offset: number, maxBytes: number): Buffer[] => [
        int32(partition),
        ...since(9, int32(-1)),
        int64(offset),
        ...since(5, int64(-1)),
        int32(maxBytes),
      ];
      const expected = Buffer.concat([
        int32(-1),
        int32(100),
        int32(1),
        ...since(3, int32(5000)),
        ...since(4, int8(1)),
        ...since(7, int32(0), int32(-1)),
        int32(2),
        string('u'),
        array([position(2, 2 ** 40, 1000), position(0, 5, 3000)]),
        string('t'),
        array([position(1, 0, 2000)]),
        ...since(7, int32(0)),
      ]);

      expect(bodyOf(fetchRequest(version, args))).toEqual(expected);
      expect(fetchRequest(version, args)).toMatchObject({
        apiKey: 1,
        apiVersion: version,
        name: `Fetch v${version}`,
      });
    },
  );

  it('asks for what is not committed, too, if it is told to', () => {
    const [committed, all] = (['read_committed', 'read_uncommitted'] as const).map((isolationLevel) =>
      bodyOf(fetchRequest(4, { ...args, isolationLevel })),
    );

    expect([committed?.[16], all?.[16]]).toEqual([1, 0]);
  });

  it.each(FETCH_VERSIONS)('reads version %d; what is null is empty', (version) => {
    const none = { abortedTransactions: [], records: Buffer.alloc(0) };

    expect(answerOf(fetchRequest(version, args), answer(version))).toEqual({
      ...{ errorCode: 0, isCut: false },
      partitions: [
        {
          ...{ topic: 'u', partition: 2, errorCode: 0, highWatermark: 2 ** 40 + 9 },
          ...{ abortedTransactions: version >= 4 ? aborted : [], records: Buffer.from('set') },
        },
        { topic: 'u', partition: 0, errorCode: 1, highWatermark: -1, ...none },
        { topic: 't', partition: 1, errorCode: 76, highWatermark: -1, ...none },
      ],
    });
  });

  it('reads the error of a whole fetch', () => {
    const refused = [int32(0), int16(70), int32(0), array([])];

    expect(answerOf(fetchRequest(10, args), refused)).toMatchObject({ errorCode: 70, partitions: [] });
  });

  it('refuses more transactions than there can be', () => {
    const of = (count: number): Buffer[] => [
      int32(0),
      array([
        [
          string('t'),
          array([[int32(1), int16(0), int64(0), int64(0), int32(count), int64(1), int64(1), bytes(null)]]),
        ],
      ]),
    ];

    expect(answerOf(fetchRequest(4, args), of(1)).partitions).toHaveLength(1);
    for (const count of [2, 2 ** 31 - 1, -2, -(2 ** 31)]) {
      expect(() => answerOf(fetchRequest(4, args), of(count))).toThrow(`array of ${count} entries`);
    }
  });

  it.each([3, 4, 10] as const)(
    'reads the head of an answer in version %d that is too long as far as it has records',
    (version) => {
      const body = Buffer.concat(answer(version));
      const head = body.subarray(0, body.indexOf('set') + 2);
      const { partitions, isCut } = fetchRequest(version, args).read(
        new ByteReader(head, 'Fetch', 'host:9092', true),
      );

      expect(isCut).toBe(true);
      expect(partitions).toMatchObject([{ topic: 'u', partition: 2, records: Buffer.from('se') }]);
    },
  );

  it('throws BROKER_ERROR for a head that does not reach the first records', () => {
    const head = Buffer.concat(answer(4)).subarray(0, 30);

    expect(() => fetchRequest(4, args).read(new ByteReader(head, 'Fetch', 'host:9092', true))).toThrow(
      'cut or malformed',
    );
  });

  it('gives records as views into the answer', () => {
    const body = Buffer.concat(answer(3));
    const { partitions } = fetchRequest(3, args).read(new ByteReader(body, 'Fetch v3'));

    expect(partitions[0]?.records.buffer).toBe(body.buffer);
  });

  it.each([2, 4, 10] as const)('throws BROKER_ERROR for an answer in version %d cut anywhere', (version) => {
    const body = Buffer.concat(answer(version));
    for (let length = 0; length < body.length; length++) {
      expect(() => answerOf(fetchRequest(version, args), [body.subarray(0, length)])).toThrow(
        'cut or malformed',
      );
    }
  });

  it.each([
    [0, 1],
    [1, 0],
    [4, 3],
    [3, 4],
    [10, 4],
    [4, 10],
  ] as const)(
    'throws BROKER_ERROR if version %d is answered in the layout of version %d',
    (asked, answered) => {
      expect(() => answerOf(fetchRequest(asked, args), answer(answered))).toThrow('cut or malformed');
    },
  );
});

describe('any request', () => {
  it('reads any bytes at all or throws BROKER_ERROR, and ends', () => {
    const requests = [
      apiVersionsRequest(),
      metadataRequest(0, ['t']),
      metadataRequest(4, ['t']),
      ...([0, 1, 2] as const).map((version) => listOffsetsRequest(version, [], 'read_committed')),
      ...FETCH_VERSIONS.map((version) =>
        fetchRequest(version, {
          ...{ maxWaitMs: 0, minBytes: 0, maxBytes: 0, partitions: [] },
          isolationLevel: 'read_committed',
        }),
      ),
      findCoordinatorRequest('g'),
      ...([1, 2] as const).flatMap((version) => [
        offsetCommitRequest(version, 'g', []),
        offsetFetchRequest(version, 'g', [{ topic: 't', partition: 0 }]),
      ]),
    ];
    const small = fc.constantFrom(0, 0, 0, 1, 2, 255);
    fc.assert(
      fc.property(fc.constantFrom(...requests), fc.array(small, { maxLength: 80 }), (request, array) => {
        let error: unknown = null;
        try {
          answerOf<unknown>(request, [Buffer.from(array)]);
        } catch (thrown) {
          error = thrown;
        }

        expect(error === null || (ConnectorError.is(error) && error.code === 'BROKER_ERROR')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
