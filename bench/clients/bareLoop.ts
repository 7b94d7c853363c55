import type { Message } from '../../lib';
import { builtInCodecs, inflaterOf } from '../../lib/kafka/compression/codecs';
import { crc32 } from '../../lib/kafka/records/crc32';
import { bareRequest } from './bareRequest';
import { BareSocket } from './BareSocket';
import { deliver } from './deliver';
import { readJob } from './job';

/*
 * What Node can do at best with message format 1 and Fetch version 2: one socket, no group, a throw for an error, the same
 * checks and objects as ours. Checksums and codecs are the library's, the fastest at hand: gzip is Node's own, and for
 * snappy and lz4 Node has nothing.
 */
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
/* Within a compressed set: what to add to offsets, and the set around it. */
let base = 0;
let outer: Parameters<typeof enter> | null = null;

const int64 = (from: number): number => view.getInt32(from) * 0x1_0000_0000 + view.getUint32(from + 4);

function enter(set: Buffer, from: number, to: number): void {
  bytes = set;
  view = new DataView(set.buffer, set.byteOffset, set.length);
  [at, end] = [from, to];
}

/** Goes on behind a compressed set, or to the next partition; false at the end of the answer. */
function leave(): boolean {
  if (outer !== null) enter(...outer);
  else if (left-- === 0) return false;
  else {
    if (view.getInt16(end + 4) !== 0) throw new Error(`error ${view.getInt16(end + 4)}`);
    partition = view.getInt32(end);
    highWatermark = int64(end + 6);
    at = end + 18;
    end = at + view.getInt32(at - 4);
  }
  base = 0;
  outer = null;
  return true;
}

function next(): Message | null {
  for (;;) {
    const from = at;
    const stop = from + 12 > end ? Infinity : from + 12 + view.getInt32(from + 8);
    if (stop > end) {
      if (!leave()) return null;
      continue;
    }
    if (crc32(bytes, view, from + 16, stop) !== view.getInt32(from + 12)) throw new Error('corrupt');
    const offset = base + int64(from);
    const attributes = view.getInt8(from + 17);
    const keyAt = from + 30;
    const keyBytes = view.getInt32(keyAt - 4);
    const valueAt = keyAt + Math.max(0, keyBytes) + 4;
    const value = view.getInt32(valueAt - 4) < 0 ? null : bytes.subarray(valueAt, stop);
    const timestamp = int64(from + 18);
    at = stop;
    if ((attributes & 7) !== 0) {
      outer = [bytes, stop, end];
      const set = inflaterOf(builtInCodecs, attributes & 7, 1)?.(value ?? bytes, 1 << 27) ?? bytes;
      enter(set, 0, set.length);
      // A wrapper has the offset of its last message, and inside they count from 0.
      for (let i = 0; i < end; i += 12 + view.getInt32(i + 8)) base = offset - int64(i);
      continue;
    }
    if (offset < (positions[partition] ?? 0)) continue;
    positions[partition] = offset + 1;
    const key = keyBytes < 0 ? null : bytes.subarray(keyAt, keyAt + keyBytes);
    const timestampType = (attributes & 8) === 0 ? 'create' : 'append';
    return { topic, partition, offset, key, value, highWatermark, timestamp, timestampType, headers };
  }
}

const socket = new BareSocket(job.broker);
const headBytes = 4 + 4 + 4 + 2 + topic.length + 4;
async function ask(): Promise<void> {
  enter(await socket.ask(bareRequest(job, positions)), headBytes, headBytes);
  left = partitions;
}
deliver(job, { ask, next });
