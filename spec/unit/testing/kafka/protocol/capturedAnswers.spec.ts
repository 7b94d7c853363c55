import { fetch } from '../../../../../lib/testing/kafka/protocol/fetch';
import { ProtocolReader } from '../../../../../lib/testing/kafka/protocol/ProtocolReader';
import { ProtocolWriter } from '../../../../../lib/testing/kafka/protocol/ProtocolWriter';
import { capturedTopics } from '../../../../support/records/capturedAnswers';

const TOPICS = capturedTopics();

describe('the answer to Fetch', () => {
  it.each(TOPICS.map((topic) => [topic.kafka, topic.topic, topic] as const))(
    'of Kafka %s for %s is read, and written again to the same bytes',
    (_kafka, name, { captures }) => {
      for (const { fetchVersions, body, errorCode, highWatermark } of captures) {
        for (const version of fetchVersions) {
          const reader = new ProtocolReader(Buffer.from(body, 'base64'), version);
          const answer = fetch.answer.read(reader);
          expect(reader.remainingBytes).toBe(0);
          expect(answer.responses).toMatchObject([
            { topic: name, partitions: [{ partitionIndex: 0, errorCode, highWatermark }] },
          ]);
          const writer = new ProtocolWriter(version);
          fetch.answer.write(writer, answer);
          expect(writer.toBuffer().toString('base64')).toBe(body);
        }
      }
      expect(captures).not.toEqual([]);
    },
  );
});
