import type { ResolvedConfig } from '../config/configTable';
import type { ConnectorError } from '../errors';
import type { Events } from '../events';
import type { BrokerConnection } from '../kafka/BrokerConnection';
import { NONE } from '../kafka/errorCodes';
import { listOffsetsRequest } from '../kafka/listOffsets';
import { partitionFailure } from './fetchErrors';
import { keyOf, type PartitionTopicInfo } from './PartitionTopicInfo';

/**
 * Looks up where to start in partitions whose position is unknown or out of range (`auto.offset.reset`).
 * Resolves with those that the broker has no answer for.
 */
export async function resetPositions(
  infos: readonly PartitionTopicInfo[],
  connection: BrokerConnection,
  { broker, config, events }: { broker: string; config: ResolvedConfig; events: Events },
  signal: AbortSignal,
): Promise<ReadonlyMap<PartitionTopicInfo, ConnectorError>> {
  const asked = infos.map((info) => ({ info, epoch: info.epoch }));
  const time = config['auto.offset.reset'];
  const answer = await connection.request(
    listOffsetsRequest(
      connection.versions.listOffsets,
      infos.map(({ topic, partition }) => ({ topic, partition, time })),
      config['isolation.level'],
    ),
    { signal, timeoutMs: config['socket.timeout.ms'] },
  );
  const answers = new Map(answer.map((one) => [keyOf(one), one]));
  const refused = new Map<PartitionTopicInfo, ConnectorError>();
  for (const { info, epoch } of asked) {
    if (info.epoch !== epoch) continue; // a seek has said where to start
    const listed = answers.get(keyOf(info));
    const { topic, partition, outOfRangeOffset: from } = info;
    if (listed === undefined || listed.offset === null) {
      refused.set(info, partitionFailure(info, from, listed?.errorCode ?? NONE, broker));
      continue;
    }
    const { offset: to } = listed;
    events.emit('offset:reset', { topic, partition, from, to, why: from === null ? 'none' : 'out-of-range' });
    info.outOfRangeOffset = null;
    info.fetchOffset = to;
    info.resetsInARow += 1;
    // With nothing before it, it is known from now on, and kept by a rebalance that comes before the next message.
    if (info.processedOffset === from) info.moveTo(to);
    // Else it goes through the queue: what was fetched before is still handed out.
    else info.queue.put({ kind: 'reset', info, epoch, nextOffset: to });
  }
  return refused;
}
