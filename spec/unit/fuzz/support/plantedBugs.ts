import type { Edit } from '../../../mutations/mutation';

/** A fault in a decoder, as somebody could make it. */
export interface PlantedBug {
  readonly fault: string;
  readonly edits: readonly Edit[];
  /** What the fuzzer says of it. */
  readonly found: RegExp;
}

const RECORDS = 'lib/kafka/records/';
const COMPRESSION = 'lib/kafka/compression/';

/** One for each kind of length, one that asks for too much memory, and one that does not end. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    fault: 'a negative length of a key in format 0 or 1 is taken for null',
    edits: [
      {
        file: `${RECORDS}readMessage.ts`,
        find: 'if (keyBytes < -1 || keyEnd + 4 > end)',
        replace: 'if (keyEnd + 4 > end)',
      },
    ],
    found: /instead of {2}nothing|instead of MESSAGE_CORRUPT|for MESSAGE_CORRUPT/,
  },
  {
    fault: 'a negative number of headers in format 2 is taken for none',
    edits: [
      {
        file: `${RECORDS}RecordReader.ts`,
        find: 'count < 0 || count * LEAST_HEADER_BYTES',
        replace: 'count * LEAST_HEADER_BYTES',
      },
    ],
    found: /instead of {2}nothing|instead of MESSAGE_CORRUPT|for MESSAGE_CORRUPT/,
  },
  {
    fault: 'what is behind the last record of a batch is not looked at',
    edits: [
      {
        file: `${RECORDS}RecordReader.ts`,
        find: ' || (this.#left === 1 && end !== this.#end)',
        replace: '',
      },
    ],
    found: /instead of {2}nothing|instead of MESSAGE_CORRUPT|for MESSAGE_CORRUPT/,
  },
  {
    fault: 'a copy in lz4 may come from in front of its block',
    edits: [
      {
        file: `${COMPRESSION}lz4Block.ts`,
        find: 'distance === 0 || distance > out - windowStart',
        replace: 'distance === 0',
      },
    ],
    found: /FAILED/,
  },
  {
    fault: 'a literal in snappy may be longer than its block',
    edits: [
      {
        file: `${COMPRESSION}snappy.ts`,
        find: "if (length > end - at) throw new DamagedError('a snappy block ends inside a literal', tagAt);",
        replace: '',
      },
    ],
    found: /FAILED/,
  },
  {
    fault: 'the length in front of a snappy block is believed',
    edits: [
      {
        file: `${COMPRESSION}snappy.ts`,
        find: 'if (size > (end - at) * MOST_BYTES_PER_BYTE) {',
        replace: 'if (size < 0) {',
      },
      {
        file: `${COMPRESSION}snappy.ts`,
        find: 'if (sizeBytes > maxBytes) throw new TooLargeError(maxBytes);',
        replace: '',
      },
    ],
    found: /bytes are asked for/,
  },
  {
    fault: 'an aborted transaction that has begun begins again and again',
    edits: [{ file: `${RECORDS}AbortedTransactions.ts`, find: '      this.#ahead.pop();\n', replace: '' }],
    found: /does not end/,
  },
];
