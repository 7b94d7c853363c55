import { scanMessageSet } from '../../../../lib/kafka/records/messageSet';
import { CAPTURED_RELEASES, releaseOf } from '../../../support/capture/releases';
import {
  ANSWERS,
  answersOf,
  decodeAll,
  expectedMessages,
  readAnswer,
  recordsOf,
  TOPICS,
} from '../support/captures';

/** From 2.0 on, brokers fill up what they have converted with an entry that is always cut off and means nothing. */
function mayBePadded(kafka: string): boolean {
  return releaseOf(kafka).fetchVersions.includes(10);
}

describe.each(TOPICS)('what Kafka $kafka answered for $topic', (topic) => {
  it.each(answersOf(topic))('is read as it was produced: $asked', (captured) => {
    const answer = readAnswer(captured.version, Buffer.from(captured.body, 'base64'));

    expect(answer).toMatchObject({
      errorCode: 0,
      partitions: [
        {
          topic: topic.topic,
          partition: 0,
          errorCode: captured.errorCode,
          highWatermark: captured.highWatermark,
        },
      ],
    });
    const { records = Buffer.alloc(0), abortedTransactions } = answer.partitions[0] ?? {};

    expect(
      decodeAll(records, captured.offset, abortedTransactions === undefined ? {} : { abortedTransactions }),
    ).toEqual(expectedMessages(captured));
  });

  it.each(answersOf(topic))('is walked to where its last whole entry ends: $asked', (captured) => {
    const scan = scanMessageSet(recordsOf(captured));

    expect(scan).toMatchObject({ nextOffset: captured.endsAt ?? -1, damaged: false });
    const { isCut, endsAt } = captured;

    // An answer that is filled up ends in either way.
    expect(mayBePadded(topic.kafka) ? isCut || !scan.partial : scan.partial === isCut).toBe(true);
    expect(scan.needsBytes > captured.maxBytes).toBe(scan.partial && endsAt === null);
  });
});

describe('the captures', () => {
  it('have what each release stores, by each version that it takes and with each codec that it knows', () => {
    const found = new Set(
      ANSWERS.filter((answer) => expectedMessages(answer).length > 0).map(
        ({ topic, version }) => `${topic.kafka} ${topic.codec} v${version}`,
      ),
    );
    const wanted = CAPTURED_RELEASES.flatMap((kafka) =>
      releaseOf(kafka).codecs.flatMap((codec) =>
        releaseOf(kafka)
          // Batches in zstd cannot be given in older formats.
          .fetchVersions.filter((version) => codec !== 'zstd' || version >= 4)
          .map((version) => `${kafka} ${codec} v${version}`),
      ),
    );

    expect(wanted.filter((name) => !found.has(name))).toEqual([]);
  });

  it.each(['aborted', 'open', 'compacted'] as const)('have messages that are %s', (fate) => {
    const releases = new Set(
      TOPICS.filter(({ messages }) => messages.some((message) => message.fate === fate)).map(
        ({ kafka }) => kafka,
      ),
    );

    expect([...releases].sort()).toEqual(
      expect.arrayContaining(['0.11.0.3', '1.1.1', '2.8.2', '3.9.1'].sort()),
    );
  });

  it('have answers that end inside their first entry and inside a later one', () => {
    const cut = ANSWERS.filter(({ isCut, topic }) => isCut && !mayBePadded(topic.kafka));

    expect(cut.filter(({ endsAt }) => endsAt === null).length).toBeGreaterThan(5);
    expect(cut.filter(({ endsAt }) => endsAt !== null).length).toBeGreaterThan(5);
  });
});
