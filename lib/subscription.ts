import { types } from 'node:util';

import { shownValue } from './config/shownValue';
import { isTopicFilter, type TopicFilter } from './TopicFilter';
import { isLegalTopicName } from './zookeeper/paths';
import { MAX_STREAMS_PER_MEMBER, type Subscription } from './zookeeper/registration';
import { wrongArguments } from './wrongArguments';

/**
 * The subscription of topics by name, checked: a wrong one would go into the registration and stop everyone's rebalance.
 *
 * @throws ConnectorError CONFIG_INVALID with all faults
 */
export function subscriptionOf(
  topicCountMap: Record<string, number> | ReadonlyMap<string, number>,
): Subscription {
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
    const fault = faultOfCount(count, `the number of streams of ${show(topic)}`);
    if (fault === null) total += count;
    else faults.push(fault);
  }
  if (total > MAX_STREAMS_PER_MEMBER) {
    faults.push(tooManyStreams(total));
  }
  if (faults.length > 0) throw wrongArguments(faults);
  return { pattern: 'static', subscription };
}

/**
 * The subscription of topics by a filter.
 *
 * @throws ConnectorError CONFIG_INVALID with all faults
 */
export function filterSubscriptionOf(filter: TopicFilter, numStreams: number): Subscription {
  const faults: string[] = [];
  if (!isTopicFilter(filter)) {
    faults.push(
      `the filter must be a Whitelist or a Blacklist as it is, not ${shownValue(filter)}; other members see its regex alone`,
    );
  }
  const fault = faultOfCount(numStreams, 'the number of streams');
  if (fault !== null) faults.push(fault);
  else if (numStreams > MAX_STREAMS_PER_MEMBER) faults.push(tooManyStreams(numStreams));
  if (faults.length > 0) throw wrongArguments(faults);
  return { pattern: filter.pattern, subscription: new Map([[filter.regex, numStreams]]) };
}

function faultOfCount(count: unknown, subject: string): string | null {
  if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 1) return null;
  return `${subject} must be a whole number from 1, not ${shownValue(count)}`;
}

function tooManyStreams(total: number): string {
  return `${total} streams are too many: one member may have ${MAX_STREAMS_PER_MEMBER}`;
}

/** By its tag: the prototype is another one for objects of another realm, such as a test runner's. */
function isRecordOrMap(given: unknown): boolean {
  return ['[object Object]', '[object Map]'].includes(Object.prototype.toString.call(given));
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : shownValue(value);
}
