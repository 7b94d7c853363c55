import type { Message } from '../../lib';
import { failAndExit, reportAndExit, type Job } from './job';
import { Measure } from './Measure';

/** What a bare loop has. */
export interface BareLoop {
  /** Resolves when the next answer is there. */
  ask(): Promise<void>;
  /** The next message of the answer; null behind the last. */
  next(): Message | null;
}

/** Hands a bare loop's messages out, by a plain loop or with one await a message, and reports behind the last. */
export function deliver(job: Job, loop: BareLoop): void {
  const measure = new Measure(job);
  const delivery = job.delivery === 'batches' ? byPlainLoop(loop, measure) : byForAwait(loop, measure);
  delivery.then(() => reportAndExit(measure.report()), failAndExit);
}

async function byPlainLoop(loop: BareLoop, measure: Measure): Promise<void> {
  for (;;) {
    await loop.ask();
    for (let message = loop.next(); message !== null; message = loop.next()) {
      if (measure.add(message.value)) return;
    }
  }
}

/** By an iterator that is written by hand: an async generator would cost more than all the rest. */
async function byForAwait(loop: BareLoop, measure: Measure): Promise<void> {
  const iterator: AsyncIterableIterator<Message> = {
    [Symbol.asyncIterator]: () => iterator,
    next() {
      const value = loop.next();
      if (value !== null) return Promise.resolve({ value, done: false });
      return loop.ask().then(() => iterator.next());
    },
  };
  for await (const { value } of iterator) if (measure.add(value)) return;
}
