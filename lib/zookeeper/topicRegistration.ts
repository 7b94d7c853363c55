import {
  fieldOf,
  isJsonObject,
  parseZnodeObject,
  znodeError,
  type ZnodeData,
  type ZnodeSubject,
} from './znodeText';

const MAX_PARTITION = 2 ** 31 - 1;

/** The partition numbers of a topic, ascending, from the data of `/brokers/topics/<topic>` (any version). */
export function decodeTopicPartitions(data: ZnodeData, path: string): number[] {
  const subject: ZnodeSubject = { code: 'REGISTRATION_INVALID', what: 'topic registration', path };
  const { text, fields } = parseZnodeObject(data, subject);
  const replicas = fieldOf(fields, 'partitions');
  if (!isJsonObject(replicas)) throw znodeError(subject, text, 'has no object in its field "partitions"');
  const partitions = new Set<number>();
  for (const key of Object.keys(replicas)) {
    const partition = /^[0-9]+$/.test(key) ? Number(key) : Number.NaN;
    if (!(partition <= MAX_PARTITION)) {
      throw znodeError(
        subject,
        text,
        `has the partition ${JSON.stringify(key)}, which is not a partition number`,
      );
    }
    partitions.add(partition);
  }
  return [...partitions].sort((a, b) => a - b);
}
