import { cutAnswer, type Shape } from './answerShapes';
import { RunFacts } from './RunFacts';
import type { Answer } from '../Comparison';

export interface TapedFrame {
  readonly shape: Shape;
  /** Without its length. */
  readonly frame: Buffer;
}

export type TapedAnswer = TapedFrame | 'closed' | 'silent';

/** Everything that came between a request and the moment at which the script went on. */
export interface Exchange {
  /** The client, and what it asked or waited for. */
  readonly request: string;
  readonly answers: readonly TapedAnswer[];
}

/** What a run of the scripts on one server brought, in the order of the scripts. */
export class Tape {
  readonly exchanges: Exchange[] = [];
  readonly #facts = new RunFacts();
  #subject = '';

  /** What is added from now on belongs to this script. */
  begin(subject: string): void {
    this.#subject = subject;
  }

  add({ request, answers }: Exchange): void {
    for (const answer of answers) {
      if (typeof answer !== 'string' && answer.shape === 'connect') this.#facts.learn(answer.frame);
      this.cut(answer); // so that its times are known
    }
    this.exchanges.push({ request: `${this.#subject}: ${request}`, answers });
  }

  /** Nothing is added any more. */
  end(): void {
    this.#facts.end();
  }

  /** An answer of this run in pieces. */
  cut(answer: TapedAnswer): Answer {
    return typeof answer === 'string' ? answer : cutAnswer(answer.frame, answer.shape, this.#facts);
  }
}
