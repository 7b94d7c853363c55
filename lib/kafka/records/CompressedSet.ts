import { errorText } from '../errorText';
import { inflateSet, type Inflating } from './inflateSet';
import { innerOffsetBase } from './innerSet';
import { MessageFault } from './MessageFault';
import type { MessageFields, MessageRun, TimestampType } from './MessageFields';
import { ENTRY_HEADER_BYTES, readInt64, SIZE_AT, viewOf } from './messageFormat';
import { readMessage } from './readMessage';

/** Right producers nest once; faulty ones were seen to nest twice. */
const MAX_DEPTH = 3;

/** The message that a compressed set is the value of. */
export interface Wrapper {
  readonly codec: number;
  readonly magic: 0 | 1;
  readonly offset: number;
  readonly value: Buffer | null;
  readonly timestamp: number | null;
  readonly timestampType: TimestampType | null;
}

/** The messages in a compressed set of format 0 or 1. */
export class CompressedSet implements MessageRun {
  readonly #inflating: Inflating;
  /** The inflated set. Its entries are known to be whole, with offsets that grow. */
  readonly #bytes: Buffer;
  readonly #view: DataView;
  /** Where the next entry begins. */
  #at = 0;
  /** Added to the offsets inside. */
  readonly #base: number;
  /** What its messages are wrapped in. */
  readonly #wrapper: Wrapper;
  /** How many sets this one is in, itself included. */
  readonly #depth: number;
  /** A set inside this one that is being walked. */
  #inner: CompressedSet | null = null;

  /** Inflates the set; throws MessageFault if it cannot be, or if what is inside makes no sense. */
  constructor(wrapper: Wrapper, inflating: Inflating, depth = 1) {
    const { codec, magic, offset, value } = wrapper;
    const damaged = (why: string, cause?: unknown): MessageFault =>
      new MessageFault('MESSAGE_CORRUPT', why, null, offset, cause);
    if (value === null) throw damaged('a compressed set without a value');
    if (depth > MAX_DEPTH) throw damaged(`compressed more than ${MAX_DEPTH} times over`);
    this.#wrapper = wrapper;
    this.#inflating = inflating;
    this.#depth = depth;
    this.#bytes = inflateSet(inflating, codec, magic, value, null, offset);
    this.#view = viewOf(this.#bytes);
    try {
      this.#base = innerOffsetBase(this.#view, magic, offset);
    } catch (error) {
      throw damaged(errorText(error), error);
    }
  }

  next(into: MessageFields, from: number): boolean {
    for (;;) {
      if (this.#inner !== null) {
        if (this.#inner.next(into, from)) return true;
        this.#inner = null;
      }
      const at = this.#at;
      if (at === this.#bytes.length) return false;
      const end = at + ENTRY_HEADER_BYTES + this.#view.getInt32(at + SIZE_AT);
      const offset = this.#base + readInt64(this.#view, at);
      this.#at = end;
      if (offset < from) continue;
      const codec = readMessage(this.#bytes, this.#view, at, end, offset, into);
      this.#setTime(into);
      if (codec === 0) return true;
      const { value, timestamp, timestampType } = into;
      const magic = timestampType === null ? 0 : 1;
      const wrapper = { codec, magic, offset, value, timestamp, timestampType } as const;
      this.#inner = new CompressedSet(wrapper, this.#inflating, this.#depth + 1);
    }
  }

  /** In format 1 the wrapper tells who gave the time, and if it was the broker, also which. */
  #setTime(into: MessageFields): void {
    const { timestamp, timestampType } = this.#wrapper;
    if (timestampType === null || into.timestampType === null) return;
    into.timestampType = timestampType;
    if (timestampType === 'append') into.timestamp = timestamp;
  }
}
