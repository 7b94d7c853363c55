import type { Received } from './Member';

/** The numbers from 0 to count - 1 that are not among the messages. */
export function missingIn(messages: readonly Received[], count: number): number[] {
  const seen = new Set(messages.map(({ number }) => number));
  return Array.from({ length: count }, (_, number) => number).filter((number) => !seen.has(number));
}

/** Messages whose number was there before. */
export function repeatsIn(messages: readonly Received[]): Received[] {
  const seen = new Set<number>();
  return messages.filter(({ number }) => {
    const isRepeat = seen.has(number);
    seen.add(number);
    return isRepeat;
  });
}

/** Messages whose offset is not above the last one of their partition. */
export function outOfOrderIn(messages: readonly Received[]): Received[] {
  const last = new Map<number, number>();
  return messages.filter(({ partition, offset }) => {
    const isLate = offset <= (last.get(partition) ?? -1);
    last.set(partition, offset);
    return isLate;
  });
}
