import type { Generation } from './Generation';
import type { LogOptions, MessageFormat } from './log/PartitionLog';

const NEWEST_FORMAT: Readonly<Record<Generation, MessageFormat>> = {
  ...{ '0.8': 0, '0.9': 0, '0.10.2': 1 },
  ...{ '1.1': 2, '3.9': 2 },
};

/** How a topic's logs are kept: by its own configuration, and by server.properties where it says nothing. */
export function logOptionsOf(
  generation: Generation,
  config: ReadonlyMap<string, string>,
  property: (name: string) => string,
): LogOptions {
  const timestampType = config.get('message.timestamp.type') ?? property('log.message.timestamp.type');
  return {
    generation,
    format: formatOf(
      generation,
      config.get('message.format.version') ?? property('log.message.format.version'),
    ),
    timestampType: timestampType === 'LogAppendTime' ? 'LogAppendTime' : 'CreateTime',
    maxMessageBytes: Number(config.get('max.message.bytes') ?? property('message.max.bytes')),
  };
}

/** @param version - of Kafka, such as "0.10.0-IV1"; '' for the broker's own. Brokers of 3.9 do not care for it. */
function formatOf(generation: Generation, version: string): MessageFormat {
  const newest = NEWEST_FORMAT[generation];
  if (generation === '3.9' || version === '') return newest;
  const wanted = /^0\.[89](\D|$)/.test(version) ? 0 : version.startsWith('0.10') ? 1 : 2;
  return wanted < newest ? wanted : newest;
}
