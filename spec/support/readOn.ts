import { ConnectorError, type Message } from '../../lib';
import type { LocalMember } from './LocalMember';

/** What a stream gave in spite of everything. */
export interface ReadOn {
  readonly messages: Message[];
  /** Each of them ended a loop. */
  readonly errors: ConnectorError[];
  /** Resolves when the connector is shut down. */
  readonly ended: Promise<void>;
}

/** Reads the stream of thread n: a new loop follows on each error, until the connector is shut down. */
export function readOn(member: LocalMember, topic?: string, n = 0): ReadOn {
  const stream = member.stream(topic, n);
  const messages: Message[] = [];
  const errors: ConnectorError[] = [];
  const run = async (): Promise<void> => {
    for (;;) {
      try {
        for await (const message of stream) messages.push(message);
        return;
      } catch (error) {
        if (!ConnectorError.is(error)) throw error;
        errors.push(error);
      }
    }
  };
  const ended = run();
  ended.catch(() => undefined); // whoever waits for it is told
  return { messages, errors, ended };
}

/** Offsets of one partition, in the order in which they came. */
export function offsetsIn(
  messages: readonly { readonly partition: number; readonly offset: number }[],
  partition: number,
): number[] {
  return messages.filter((message) => message.partition === partition).map(({ offset }) => offset);
}

/** `from` and all numbers up to `to`, which is not among them. */
export function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(to - from, 0) }, (_, n) => from + n);
}
