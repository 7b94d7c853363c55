import { ProtocolReader } from '../../../../../lib/testing/kafka/protocol/ProtocolReader';
import { ProtocolWriter } from '../../../../../lib/testing/kafka/protocol/ProtocolWriter';
import { ALL_APIS } from '../../../../support/testing/allApis';
import { type KafkaLayout, kafkaSchemas } from '../../../../support/testing/kafkaSchemas';
import { layoutOf } from '../../../../support/testing/layoutOf';

const SCHEMAS = kafkaSchemas();
const MESSAGES = ALL_APIS.flatMap((api) => {
  const schema = SCHEMAS.find(({ key }) => key === api.key);
  return (['request', 'answer'] as const).map((side) => ({
    name: `${api.name} ${side}`,
    flexibleSince: api.flexibleSince,
    type: api[side],
    layouts: schema?.[side] ?? [],
  }));
});

function versionsOf({ first, last }: KafkaLayout): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe('the messages of the embedded broker', () => {
  it('are those that the fixture describes', () => {
    expect(ALL_APIS.map(({ key, name }) => ({ key, name }))).toEqual(
      SCHEMAS.map(({ key, name }) => ({ key, name })),
    );
  });

  it.each(MESSAGES)('$name has the fields of Kafka in each version', ({ type, flexibleSince, layouts }) => {
    const theirs = layouts.flatMap((layout) =>
      versionsOf(layout).map((version) => `v${version} ${layout.fields}`),
    );
    const ours = theirs.map(
      (_, version) => `v${version} ${layoutOf(type, version, version >= flexibleSince)}`,
    );
    expect(ours).toEqual(theirs);
    expect(theirs).not.toEqual([]);
  });

  it.each(MESSAGES)(
    '$name is read to its end, and written as Kafka does',
    ({ type, flexibleSince, layouts }) => {
      for (const layout of layouts) {
        for (const version of versionsOf(layout)) {
          const isFlexible = version >= flexibleSince;
          const reader = new ProtocolReader(Buffer.from(layout.sample, 'base64'), version, isFlexible);
          const value = type.read(reader);
          expect(reader.remainingBytes).toBe(0);
          const writer = new ProtocolWriter(version, isFlexible);
          type.write(writer, value as never);
          expect(writer.toBuffer().toString('base64')).toBe(layout.sample);
        }
      }
    },
  );

  it.each(ALL_APIS.map((api) => [api.name, api] as const))(
    '%s has flexible versions where Kafka has',
    (_, api) => {
      const schema = SCHEMAS.find(({ key }) => key === api.key);
      const digits = Array.from(schema?.requestHeaders ?? '', (_digit, version) =>
        version >= api.flexibleSince ? 2 : 1,
      );
      expect(digits.join('')).toBe(schema?.requestHeaders);
    },
  );
});
