import type { Message } from '../../lib';
import { builtInCodecs, inflaterOf } from '../../lib/kafka/compression/codecs';
import { crc32c } from '../../lib/kafka/records/crc32c';
import { bareRequest } from './bareRequest';
import { BareSocket } from './BareSocket';
import { deliver } from './deliver';
import { readJob } from './job';

/** The same as bareLoop.ts with record batches (format 2) and Fetch version 10. */
const job = readJob();
const { topic, partitions } = job;
const positions = new Array<number>(partitions).fill(0);
const headers = Object.freeze([]);

/* What is walked (an answer, or what was inflated out of it), and where. */
let bytes: Buffer = Buffer.alloc(0);
let view: DataView = new DataView(bytes.buffer);
let [at, end] = [0, 0];
/* The partition that it belongs to, and how many come behind it in the answer. */
let [partition, highWatermark, left] = [0, 0, 0];
/* Of the batch: its records that are still to come, and what goes for all of them. */
let [records, firstOffset, firstTimestamp] = [0, 0, 0];
let timestampType: 'create' | 'append' = 'create';
/* Around a compressed batch. */
let outer: Parameters<typeof enter> | null = null;
const int64 = (from: number): number => view.getInt32(from) * 0x1_0000_0000 + view.getUint32(from + 4);
const field = (size: number): Buffer | null => (size < 0 ? null : bytes.subarray(at, (at += size)));

/** Of at most 32 bits: within one batch nothing is larger. */
function varint(): number {
  for (let value = 0, shift = 0; ; shift += 7) {
    const byte = view.getUint8(at++);
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return (value >>> 1) ^ -(value & 1);
  }
}

function enter(set: Buffer, from: number, to: number): void {
  bytes = set;
  view = new DataView(set.buffer, set.byteOffset, set.length);
  [at, end] = [from, to];
}

/** Goes on behind a compressed batch, or to the next partition; false at the end of the answer. */
function leave(): boolean {
  if (outer !== null) enter(...outer);
  else if (left-- === 0) return false;
  else {
    if (view.getInt16(end + 4) !== 0) throw new Error(`error ${view.getInt16(end + 4)}`);
    [partition, highWatermark, at] = [view.getInt32(end), int64(end + 6), end + 38];
    end = at + Math.max(0, view.getInt32(at - 4));
  }
  outer = null;
  return true;
}

/** Goes to the next batch that is whole; false if there is none in this set. */
function openBatch(): boolean {
  const from = at;
  const stop = from + 12 > end ? Infinity : from + 12 + view.getInt32(from + 8);
  if (stop > end) return false;
  if (crc32c(view, from + 21, stop) !== view.getInt32(from + 17)) throw new Error('corrupt');
  const attributes = view.getInt16(from + 21);
  timestampType = (attributes & 8) === 0 ? 'create' : 'append';
  [firstOffset, firstTimestamp, records] = [int64(from), int64(from + 27), view.getInt32(from + 57)];
  at = from + 61;
  const inflate = inflaterOf(builtInCodecs, attributes & 7, 2);
  if (inflate === null) return true;
  const set = inflate(bytes.subarray(at, stop), 1 << 27);
  outer = [bytes, stop, end];
  enter(set, 0, set.length);
  return true;
}

function next(): Message | null {
  for (;;) {
    if (records === 0 && !openBatch() && !leave()) return null;
    if (records === 0) continue; // a partition without any
    records -= 1;
    varint(); // its size
    at += 1;
    const timestamp = firstTimestamp + varint();
    const offset = firstOffset + varint();
    const key = field(varint());
    const value = field(varint());
    if (varint() !== 0) throw new Error('there are headers');
    if (offset < (positions[partition] ?? 0)) continue;
    positions[partition] = offset + 1;
    return { topic, partition, offset, key, value, highWatermark, timestamp, timestampType, headers };
  }
}

const socket = new BareSocket(job.broker);
const headBytes = 4 + 4 + 2 + 4 + 4 + 2 + topic.length + 4;
async function ask(): Promise<void> {
  enter(await socket.ask(bareRequest(job, positions)), headBytes, headBytes);
  left = partitions;
}
deliver(job, { ask, next });
