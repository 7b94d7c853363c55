import { types } from 'node:util';

import { shownValue } from './config/shownValue';
import { isLegalTopicName } from './zookeeper/paths';
import { MAX_STREAMS_PER_MEMBER } from './zookeeper/registration';
import { wrongArguments } from './wrongArguments';

/**
 * Topic to number of streams, checked: a wrong one would go into the registration and stop everyone's rebalance.
 *
 * @throws ConnectorError CONFIG_INVALID with all faults
 */
export function subscriptionOf(
  topicCountMap: Record<string, number> | ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const given: unknown = topicCountMap;
  if (!isRecordOrMap(given)) {
    throw wrongArguments([
      `topicCountMap must be an object or a Map of topic to number of streams, not ${shownValue(given)}`,
    ]);
  }
  const subscription = new Map<string, number>(
    types.isMap(topicCountMap) ? topicCountMap : Object.entries(topicCountMap),
  );
  const faults: string[] = [];
  let total = 0;
  for (const [topic, count] of subscription) {
    if (typeof topic !== 'string' || !isLegalTopicName(topic)) {
      faults.push(
        `${show(topic)} is no topic name: 1 to 255 of the characters a-z A-Z 0-9 . _ - are allowed`,
      );
    }
    if (!Number.isSafeInteger(count) || count < 1) {
      faults.push(
        `the number of streams of ${show(topic)} must be a whole number from 1, not ${shownValue(count)}`,
      );
    } else total += count;
  }
  if (total > MAX_STREAMS_PER_MEMBER) {
    faults.push(`${total} streams are too many: one member may have ${MAX_STREAMS_PER_MEMBER}`);
  }
  if (faults.length > 0) throw wrongArguments(faults);
  return subscription;
}

/** By its tag: the prototype is another one for objects of another realm, such as a test runner's. */
function isRecordOrMap(given: unknown): boolean {
  return ['[object Object]', '[object Map]'].includes(Object.prototype.toString.call(given));
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : shownValue(value);
}
