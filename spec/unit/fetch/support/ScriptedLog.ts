import { entry, type SpecMessage } from '../../kafka/support/encodeMessageSet';

/** One partition's messages, as they lie in a broker. */
export class ScriptedLog {
  readonly #entries: { readonly offset: number; readonly bytes: Buffer }[] = [];
  /** The first offset that is still there. */
  start = 0;
  /** The offset behind the last message. */
  end = 0;
  /** Answered instead of messages. */
  errorCode = 0;
  /** Answered to ListOffsets. */
  listErrorCode = 0;
  /** Told to readers of what is committed. */
  aborted: readonly { readonly producerId: number; readonly firstOffset: number }[] = [];
  /** Every answer is cut off behind so many bytes, whatever was asked for. */
  cutAtBytes = Number.POSITIVE_INFINITY;
  /** What a fetch brings at most, from where it begins; replaces the log if set. */
  records: ((offset: number) => Buffer) | null = null;

  append(...messages: readonly Omit<SpecMessage, 'offset'>[]): void {
    for (const message of messages) this.appendRaw(this.end, entry({ ...message, offset: this.end }));
  }

  /** An entry as it is; for damaged and compressed ones, and batches, whose offset is their last one here. */
  appendRaw(offset: number, bytes: Buffer): void {
    this.#entries.push({ offset, bytes });
    this.end = offset + 1;
  }

  /** Retention: what is below is gone. */
  deleteBelow(offset: number): void {
    this.start = offset;
    this.end = Math.max(this.end, offset);
  }

  read(offset: number, maxBytes: number): Buffer {
    if (this.records !== null) return this.records(offset).subarray(0, maxBytes);
    return Buffer.concat(this.#from(offset)).subarray(0, Math.min(maxBytes, this.cutAtBytes));
  }

  /** As brokers read from Fetch v3 on: nothing if the first entry does not fit, or all of it if it `isFirst` in its answer. */
  readWhole(offset: number, maxBytes: number, isFirst: boolean): Buffer {
    if (this.records !== null || this.cutAtBytes !== Number.POSITIVE_INFINITY)
      return this.read(offset, maxBytes);
    const firstBytes = this.#from(offset)[0]?.length ?? 0;
    if (firstBytes <= maxBytes) return this.read(offset, maxBytes);
    return isFirst ? this.read(offset, firstBytes) : Buffer.alloc(0);
  }

  #from(offset: number): Buffer[] {
    const from = Math.max(offset, this.start);
    return this.#entries.flatMap((one) => (one.offset >= from ? [one.bytes] : []));
  }
}
