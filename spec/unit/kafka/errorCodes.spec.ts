import * as codes from '../../../lib/kafka/errorCodes';
import { errorName } from '../../../lib/kafka/errorNames';
import * as ofServers from '../../../lib/testing/kafka/errorCodes';

describe('errorName', () => {
  it.each([
    [-1, 'UNKNOWN_SERVER_ERROR'],
    [0, 'NONE'],
    [1, 'OFFSET_OUT_OF_RANGE'],
    [6, 'NOT_LEADER_OR_FOLLOWER'],
    [16, 'NOT_COORDINATOR'],
    [27, 'REBALANCE_IN_PROGRESS'],
    [35, 'UNSUPPORTED_VERSION'],
    [56, 'KAFKA_STORAGE_ERROR'],
    [76, 'UNSUPPORTED_COMPRESSION_TYPE'],
    [82, 'FENCED_INSTANCE_ID'],
  ])('knows %d as %s', (code, name) => {
    expect(errorName(code)).toBe(name);
  });

  it.each([9999, -2, 1.5])('has a text for %d, which it does not know', (code) => {
    expect(errorName(code)).toBe(`ERROR_CODE_${code}`);
  });

  it.each([
    ['the consumer decides on', Object.entries(codes)],
    [
      'embedded brokers answer with',
      Object.entries(ofServers).filter(([, code]) => typeof code === 'number'),
    ],
  ])('agrees with the named constants that %s', (_, constants) => {
    expect(constants.length).toBeGreaterThan(10);
    expect(constants.map(([name, code]) => [name, errorName(Number(code))])).toEqual(
      constants.map(([name]) => [name, name]),
    );
  });
});
