import type { Generation } from './Generation';

const INTERNAL: readonly string[] = ['__consumer_offsets', '__transaction_state'];
const LONGEST = 249;
const LONGEST_OF_OLD = 255;

/** True for names that Kafka allows. */
export function isTopicName(name: string, generation: Generation): boolean {
  const longest = generation === '0.8' || generation === '0.9' ? LONGEST_OF_OLD : LONGEST;
  return /^[a-zA-Z0-9._-]+$/.test(name) && name !== '.' && name !== '..' && name.length <= longest;
}

/** True for topics of the brokers themselves. */
export function isInternal(name: string): boolean {
  return INTERNAL.includes(name);
}
