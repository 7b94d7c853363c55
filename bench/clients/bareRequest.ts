import type { Job } from './job';

const hex = (size: number, value: number): string => value.toString(16).padStart(2 * size, '0');
const NOBODY = 'ffffffff';
const WAIT = hex(4, 100);
const LEAST_BYTES = hex(4, 1);
const MOST_BYTES = hex(4, 50 << 20);
const PARTITION_BYTES = hex(4, 1 << 20);
const NO_SESSION = `00000000${NOBODY}`;
const NO_OFFSET = NOBODY + NOBODY;

/** A whole Fetch request, of version 2 or 10, for all partitions from these positions on; limits as by default in clients. */
export function bareRequest({ topic, fetchVersion }: Job, positions: readonly number[]): Buffer {
  const isNew = fetchVersion === 10;
  const partitions = positions.map((position, partition) => {
    const from = isNew ? `${NOBODY}${hex(8, position)}${NO_OFFSET}` : hex(8, position);
    return `${hex(4, partition)}${from}${PARTITION_BYTES}`;
  });
  const head = `0001${hex(2, fetchVersion)}00000000ffff`; // Fetch, the number of the request, no client id
  const limits = `${NOBODY}${WAIT}${LEAST_BYTES}${isNew ? `${MOST_BYTES}00${NO_SESSION}` : ''}`;
  const name = `${hex(2, topic.length)}${Buffer.from(topic).toString('hex')}`;
  const asked = `00000001${name}${hex(4, positions.length)}${partitions.join('')}${isNew ? '00000000' : ''}`;
  const body = `${head}${limits}${asked}`;
  return Buffer.from(`${hex(4, body.length / 2)}${body}`, 'hex');
}
