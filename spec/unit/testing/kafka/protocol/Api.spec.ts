import { apiVersions } from '../../../../../lib/testing/kafka/protocol/apiVersions';
import { readHeader, readRequest, writeAnswer } from '../../../../../lib/testing/kafka/protocol/Api';
import { metadata } from '../../../../../lib/testing/kafka/protocol/metadata';
import { ALL_APIS } from '../../../../support/testing/allApis';
import { kafkaSchemas } from '../../../../support/testing/kafkaSchemas';

const flexibleSinceOf = (key: number): number =>
  ALL_APIS.find((api) => api.key === key)?.flexibleSince ?? Infinity;

describe('readHeader', () => {
  it('finds the body behind the client id', () => {
    const frame = Buffer.from('00030001' + '00000007' + '000163' + '00000001000174', 'hex');
    const { header, body } = readHeader(frame, flexibleSinceOf);
    expect(header).toEqual({ apiKey: 3, version: 1, correlationId: 7, clientId: 'c' });
    expect(readRequest(metadata, 1, body).topics).toMatchObject([{ name: 't' }]);
  });

  it('takes a client id that is null', () => {
    const { header, body } = readHeader(Buffer.from('0003000000000007ffff', 'hex'), flexibleSinceOf);
    expect(header.clientId).toBeNull();
    expect(body).toHaveLength(0);
  });

  it('reads over the tagged fields of a flexible version, which has the old client id all the same', () => {
    const frame = Buffer.from(
      '00120003' + '00000007' + '000163' + '01' + '2a0201ff' + '0278' + '0231' + '00',
      'hex',
    );
    const { header, body } = readHeader(frame, flexibleSinceOf);
    expect(header.clientId).toBe('c');
    expect(readRequest(apiVersions, 3, body)).toEqual({
      clientSoftwareName: 'x',
      clientSoftwareVersion: '1',
    });
  });

  it.each(['', '0003', '000300000000000700', '0003000000000007000563'])(
    'refuses what is cut: "%s"',
    (hex) => {
      expect(() => readHeader(Buffer.from(hex, 'hex'), flexibleSinceOf)).toThrow(RangeError);
    },
  );
});

describe('writeAnswer', () => {
  it.each(ALL_APIS.map((api) => [api.name, api] as const))('puts the header of Kafka before %s', (_, api) => {
    const schema = kafkaSchemas().find(({ key }) => key === api.key);
    for (const [version, digit] of Array.from(schema?.answerHeaders ?? '').entries()) {
      const body = Buffer.from(
        schema?.answer.find(({ first, last }) => first <= version && version <= last)?.sample ?? '',
        'base64',
      );
      const value = readAnswer(api, version, body);
      const header = digit === '1' ? '0000000900' : '00000009';
      expect(writeAnswer(api, { version, correlationId: 9 }, value as never).toString('hex')).toBe(
        header + body.toString('hex'),
      );
    }
    expect(schema?.answerHeaders).toMatch(/^[01]+$/);
  });
});

function readAnswer(api: (typeof ALL_APIS)[number], version: number, body: Buffer): unknown {
  return readRequest({ ...api, request: api.answer }, version, body);
}
