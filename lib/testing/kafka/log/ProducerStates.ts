import type { Generation } from '../Generation';
import { AppendRefusal } from './AppendRefusal';
import type { BatchHeader } from './recordBatch';

/** Batches of a producer that a broker knows again. */
const KNOWN_BATCHES = 5;
const MOST_SEQUENCE = 0x7fff_ffff;

/** A batch that was appended. */
interface KnownBatch {
  readonly baseSequence: number;
  readonly lastSequence: number;
  readonly baseOffset: number;
  readonly lastOffset: number;
  readonly maxTimestampMs: number;
}

interface ProducerState {
  readonly epoch: number;
  /** The last ones of this epoch, in order; there is one at least. */
  readonly batches: readonly KnownBatch[];
}

/** What a log knows of idempotent producers, by which it finds what was sent twice or is missing. */
export class ProducerStates {
  readonly #generation: Generation;
  /** By producer id. */
  readonly #states = new Map<number, ProducerState>();

  constructor(generation: Generation) {
    this.#generation = generation;
  }

  /** The same batch if it was appended before. */
  duplicateOf({ producerId, producerEpoch, ...batch }: BatchHeader): KnownBatch | null {
    const state = this.#states.get(producerId);
    if (state?.epoch !== producerEpoch) return null;
    const lastSequence = lastSequenceOf(batch);
    const same = state.batches.find(
      (known) => known.baseSequence === batch.baseSequence && known.lastSequence === lastSequence,
    );
    return same ?? null;
  }

  /** Throws AppendRefusal unless the batch is what comes next from its producer. */
  check({ producerId, producerEpoch, baseSequence }: BatchHeader): void {
    const state = this.#states.get(producerId);
    if (state === undefined) {
      // From 2.5 on a producer that the log does not know (any more) may begin anywhere (KIP-360).
      if (this.#generation === '3.9' || baseSequence === 0) return;
      throw new AppendRefusal('UNKNOWN_PRODUCER_ID', `producer ${producerId} is not known`);
    }
    if (producerEpoch < state.epoch) {
      throw new AppendRefusal('INVALID_PRODUCER_EPOCH', `epoch ${producerEpoch} after ${state.epoch}`);
    }
    const last = state.batches.at(-1)?.lastSequence ?? MOST_SEQUENCE;
    const next = producerEpoch > state.epoch || last === MOST_SEQUENCE ? 0 : last + 1;
    if (baseSequence !== next) {
      throw new AppendRefusal('OUT_OF_ORDER_SEQUENCE_NUMBER', `sequence ${baseSequence} in place of ${next}`);
    }
  }

  /** Notes a batch that was appended, with its offsets in the log. */
  add(batch: BatchHeader): void {
    const { producerId, producerEpoch, baseSequence, baseOffset, lastOffset, maxTimestampMs } = batch;
    const before = this.#states.get(producerId);
    const others = before?.epoch === producerEpoch ? before.batches.slice(1 - KNOWN_BATCHES) : [];
    const known = {
      baseSequence,
      lastSequence: lastSequenceOf(batch),
      baseOffset,
      lastOffset,
      maxTimestampMs,
    };
    this.#states.set(producerId, { epoch: producerEpoch, batches: [...others, known] });
  }

  /** What is no more in the log is forgotten; brokers from 2.5 on keep it. */
  forgetBefore(offset: number): void {
    if (this.#generation === '3.9') return;
    for (const [producerId, { batches }] of this.#states) {
      if ((batches.at(-1)?.lastOffset ?? -1) < offset) this.#states.delete(producerId);
    }
  }
}

/** Sequences begin at 0 again behind the largest int32. */
function lastSequenceOf({
  baseSequence,
  baseOffset,
  lastOffset,
}: Pick<BatchHeader, 'baseSequence' | 'baseOffset' | 'lastOffset'>): number {
  return (baseSequence + lastOffset - baseOffset) % (MOST_SEQUENCE + 1);
}
