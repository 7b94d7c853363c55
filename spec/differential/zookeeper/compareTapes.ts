import { Comparison } from '../Comparison';
import type { Tape } from './Tape';

/** Nothing is: what cannot be the same has been replaced by what is the same, in as many bytes. */
const isLeftOut = (): boolean => false;

/** Compares all answers of both runs, and the order in which they came. An answer that is not there is silence. */
export function compareTapes(real: Tape, embedded: Tape): Comparison {
  const comparison = new Comparison(isLeftOut);
  for (let index = 0; index < Math.max(real.exchanges.length, embedded.exchanges.length); index++) {
    const [one, other] = [real.exchanges[index], embedded.exchanges[index]];
    const request = one?.request ?? other?.request ?? '';
    const count = Math.max(one?.answers.length ?? 0, other?.answers.length ?? 0);
    for (let answer = 0; answer < count; answer++) {
      const ofReal = real.cut(one?.answers[answer] ?? 'silent');
      comparison.add(request, ofReal, embedded.cut(other?.answers[answer] ?? 'silent'));
    }
  }
  return comparison;
}

export interface Alterations {
  /** Bytes that were altered, one at a time. */
  readonly bytes: number;
  /** The requests to whose answers no comparison noticed one. */
  readonly unnoticed: readonly string[];
}

/** Alters every byte of every answer, each in a comparison of its own with the answer as it was. */
export function alterEachByte(tape: Tape): Alterations {
  const unnoticed: string[] = [];
  let bytes = 0;
  for (const { request, answers } of tape.exchanges) {
    for (const answer of answers) {
      if (typeof answer === 'string') continue;
      const original = tape.cut(answer);
      for (const [at, byte] of answer.frame.entries()) {
        const frame = Buffer.from(answer.frame);
        frame[at] = byte ^ 1;
        const comparison = new Comparison(isLeftOut);
        comparison.add(request, original, tape.cut({ ...answer, frame }));
        bytes += 1;
        if (comparison.differences.length === 0) unnoticed.push(`${request}, byte ${at}`);
      }
    }
  }
  return { bytes, unnoticed };
}
