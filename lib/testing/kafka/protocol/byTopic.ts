import { field, struct, type Fields } from './struct';
import { array, string } from './types';

/** Topics by name, and of each of their partitions these fields: how everything about offsets is asked and answered. */
export function byTopic<F extends Fields>(partition: F) {
  return array(struct({ name: field(string), partitions: field(array(struct(partition))) }));
}
