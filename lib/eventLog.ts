import { performance } from 'node:perf_hooks';

import type { Events } from './events';
import type { Logger } from './logger';

/** A broker that stays away is named in the log once in so long. */
const FETCH_FAILURE_LOG_MS = 10_000;

/** Writes to the log what an operator wants to know; the rest is for listeners. */
export function logEvents(events: Events, logger: Logger): void {
  /** When a failure was last written, by broker. */
  const writtenMs = new Map<string | null, number>();
  events.on('rebalance:finished', ({ changed, ...fields }) => {
    if (changed) logger.info('rebalance finished', fields);
  });
  events.on('session:suspended', (fields) => logger.warn('no connection to ZooKeeper', fields));
  events.on('session:lost', (fields) => logger.warn('the ZooKeeper session is lost', fields));
  events.on('partitions:lost', (fields) => logger.warn('partitions are let go without a commit', fields));
  events.on('partition:failed', (fields) => logger.error('a partition stands still', fields));
  events.on('offset:reset', (fields) => {
    if (fields.why === 'none') logger.info('no offset was stored: auto.offset.reset decides', fields);
    else logger.warn('the stored offset is not in the log: auto.offset.reset decides', fields);
  });
  events.on('fetch:failed', (fields) => {
    const nowMs = performance.now();
    if (nowMs - (writtenMs.get(fields.broker) ?? Number.NEGATIVE_INFINITY) < FETCH_FAILURE_LOG_MS) return;
    writtenMs.set(fields.broker, nowMs);
    logger.warn('brokers could not be fetched from', fields);
  });
}
