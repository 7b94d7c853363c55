import type { Delivered, Receiver } from '../support/deliveries';
import { fault } from './fault';

/** What was sent to a partition and taken by its leader, in the order of sending; all values differ. */
export interface SentPartition {
  readonly topic: string;
  readonly partition: number;
  readonly values: readonly string[];
  /** End of its log. */
  readonly endOffset: number;
}

/**
 * Everything in which the deliveries differ from "each message at least once, in the order of its partition, as it was
 * sent, and nothing else". A producer that sends again may have written a message twice: then both are delivered.
 */
export function faultsOf(sent: readonly SentPartition[], receivers: readonly Receiver[]): string[] {
  const known = new Set(sent.map(keyOf));
  const strange = receivers.flatMap(({ messages }) =>
    messages.filter((message) => !known.has(keyOf(message))),
  );
  return [
    ...fault('not of what was sent', strange.map(nameOf)),
    ...sent.flatMap((partition) => faultsInLog(partition, receivers)),
    ...receivers.flatMap((receiver) => faultsInOrder(receiver, receivers)),
  ];
}

/** How many of these values of a topic somebody was handed. */
export function deliveredCount(
  topic: string,
  values: readonly string[],
  receivers: readonly Receiver[],
): number {
  const got = receivers.flatMap(({ messages }) => messages.filter((message) => message.topic === topic));
  const different = new Set(got.map(({ value }) => value));
  return values.filter((value) => different.has(value)).length;
}

/** Compares one partition's log, as all members together have seen it, with what was sent. */
function faultsInLog(
  { topic, partition, values, endOffset }: SentPartition,
  receivers: readonly Receiver[],
): string[] {
  const at = `${topic}/${partition}`;
  const log = new Map<number, string>();
  const unequal = new Set<number>();
  for (const message of deliveriesOf(at, receivers)) {
    const value = String(message.value);
    if ((log.get(message.offset) ?? value) !== value) unequal.add(message.offset);
    log.set(message.offset, value);
  }
  const holes = Array.from({ length: endOffset }, (_, offset) => offset).filter((offset) => !log.has(offset));
  const beyond = [...log.keys()].filter((offset) => offset >= endOffset);
  const inOrder = [...log].sort(([a], [b]) => a - b).map(([, value]) => value);
  const seen = [...new Set(inOrder)];
  const wanted = new Set(values);
  const missing = values.filter((value) => !seen.includes(value));
  const unknown = seen.filter((value) => !wanted.has(value));
  const misplaced = seen.filter((value, index) => value !== values[index]);
  return [
    ...fault(`of ${at} with two values`, [...unequal]),
    ...fault(`of ${at} never handed out, by offset`, holes),
    ...fault(`of ${at} behind the end of the log`, beyond),
    ...fault(`of ${at} missing`, missing),
    ...fault(`of ${at} never sent`, unknown),
    ...(missing.length + unknown.length === 0
      ? fault(`of ${at} not in the order of sending`, misplaced)
      : []),
  ];
}

/** A member may go back only to what somebody was handed before. */
function faultsInOrder(receiver: Receiver, receivers: readonly Receiver[]): string[] {
  const last = new Map<string, number>();
  const times = new Map<string, number>();
  for (const { messages } of receivers) {
    for (const message of messages) times.set(nameOf(message), (times.get(nameOf(message)) ?? 0) + 1);
  }
  const wrong = receiver.messages.filter((message) => {
    const before = last.get(keyOf(message)) ?? -1;
    last.set(keyOf(message), message.offset);
    return message.offset <= before && times.get(nameOf(message)) === 1;
  });
  return fault(`out of order at ${receiver.consumerId}`, wrong.map(nameOf));
}

function deliveriesOf(at: string, receivers: readonly Receiver[]): Delivered[] {
  return receivers.flatMap(({ messages }) => messages.filter((message) => keyOf(message) === at));
}

function keyOf({ topic, partition }: Pick<Delivered, 'topic' | 'partition'>): string {
  return `${topic}/${partition}`;
}

function nameOf(message: Delivered): string {
  return `${keyOf(message)}@${message.offset}`;
}
