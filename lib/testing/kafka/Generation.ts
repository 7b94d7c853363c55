/** Which brokers are stood in for: Kafka 0.8.2.2, 0.9.0.1, 0.10.2.2, 1.1.1 and 3.9.1. */
export const GENERATIONS = ['0.8', '0.9', '0.10.2', '1.1', '3.9'] as const;

export type Generation = (typeof GENERATIONS)[number];
