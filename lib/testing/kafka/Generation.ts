/** Which brokers are stood in for: Kafka 0.8.2.2, 0.9.0.1, 0.10.2.2, 1.1.1 and 3.9.1. */
export type Generation = '0.8' | '0.9' | '0.10.2' | '1.1' | '3.9';

export const GENERATIONS: readonly Generation[] = ['0.8', '0.9', '0.10.2', '1.1', '3.9'];
