import { codecsOf, formatOf, versionsIn } from '../../../matrix/releases';
import type { MatrixCell } from '../../../matrix/results';

/** A cell in which everything was right. */
export function greenCell(release: string): MatrixCell {
  const { kafka, zookeeper } = versionsIn(release);
  const result = { produced: 100, delivered: 100, format: String(formatOf(kafka)), fetch: 'v4' };
  return {
    ...{ release, kafka, zookeeper: zookeeper ?? '3.4.14', producer: kafka },
    codecs: Object.fromEntries(codecsOf(kafka).map((codec) => [codec, result])),
    repeated: { sessionLost: 1, memberKilled: 2, jvmMember: 3 },
    ...{ jvmDelivered: 1500, rebalances: 11, durationMs: 12_345, errors: [] },
    ...{ date: '2026-11-30', commit: '0123456789ab', node: '20.20.2' },
  };
}
