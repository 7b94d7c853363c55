import fc from 'fast-check';
import { ProtocolReader } from '../../../../../lib/testing/kafka/protocol/ProtocolReader';
import { ProtocolWriter } from '../../../../../lib/testing/kafka/protocol/ProtocolWriter';
import { ALL_APIS } from '../../../../support/testing/allApis';
import { kafkaSchemas } from '../../../../support/testing/kafkaSchemas';
import { valuesOf } from '../../../../support/testing/valuesOf';

const MESSAGES = ALL_APIS.flatMap((api) =>
  (['request', 'answer'] as const).map((side) => [`${api.name} ${side}`, api, side] as const),
);

function newestOf(apiKey: number): number {
  return (
    kafkaSchemas()
      .find(({ key }) => key === apiKey)
      ?.request.at(-1)?.last ?? -1
  );
}

describe('any value is read as it was written:', () => {
  it.each(MESSAGES)('%s', (_, api, side) => {
    const newest =
      kafkaSchemas()
        .find(({ key }) => key === api.key)
        ?.[side].at(-1)?.last ?? -1;
    for (let version = 0; version <= newest; version++) {
      const isFlexible = version >= api.flexibleSince;
      fc.assert(
        fc.property(valuesOf(api[side], version, isFlexible), (value) => {
          const writer = new ProtocolWriter(version, isFlexible);
          api[side].write(writer, value as never);
          const reader = new ProtocolReader(writer.toBuffer(), version, isFlexible);
          expect(api[side].read(reader)).toEqual(value);
          expect(reader.remainingBytes).toBe(0);
        }),
        { numRuns: 10 },
      );
    }
    expect(newest).toBeGreaterThan(0);
  });

  it.each(MESSAGES)('%s; what is cut is refused', (_, api, side) => {
    const version = newestOf(api.key);
    fc.assert(
      fc.property(valuesOf(api[side], version, true), fc.nat(), (value, cut) => {
        const writer = new ProtocolWriter(version, true);
        api[side].write(writer, value as never);
        const bytes = writer.toBuffer();
        const reader = new ProtocolReader(bytes.subarray(0, cut % bytes.length), version, true);
        expect(() => api[side].read(reader)).toThrow(RangeError);
      }),
      { numRuns: 10 },
    );
  });
});
