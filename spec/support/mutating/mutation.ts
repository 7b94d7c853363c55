import { randomOf } from '../randomOf';

/** One answer of a server, as it came. */
export interface Answer {
  /** With its length in front. */
  readonly frame: Buffer;
  /** What it answers, with the length in front; null if nothing was asked, as with watch events. */
  readonly request: Buffer | null;
  /** The answer before it on the same connection, as that came. */
  readonly previous: Buffer | null;
}

/** What is sent in place of an answer. */
export interface Mutated {
  readonly bytes: Buffer;
  /** What becomes of the connection then. `hold`: the next answer comes first, and these bytes behind it. */
  readonly then: 'go-on' | 'end' | 'silence' | 'hold';
}

/** One way in which an answer goes wrong. */
export interface Mutation {
  readonly kind: string;
  /** How often it has its turn in a round; default 1. */
  readonly weight?: number;
  /** True if a value may be changed so that nobody can notice. */
  readonly isPlausible?: boolean;
  /** Null if this answer has nothing for it. */
  apply(answer: Answer, chance: Chance): Mutated | null;
}

/** Choices that are the same in each run with the same seed. */
export class Chance {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = randomOf(seed);
  }

  /** From 0 on, below `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  between(from: number, end: number): number {
    return from + this.below(Math.max(1, end - from));
  }

  isTrue(share: number): boolean {
    return this.#next() < share;
  }

  of<T>(list: readonly T[]): T {
    const one = list[this.below(list.length)];
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  }

  bytes(count: number): Buffer {
    return Buffer.from(Array.from({ length: count }, () => this.below(256)));
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((item) => ({ item, key: this.#next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }
}

/** Deals the mutations like cards, so that each has its turn as often as its weight says. */
export class Deck {
  readonly #round: readonly Mutation[];
  readonly #chance: Chance;
  #cards: Mutation[] = [];

  constructor(mutations: readonly Mutation[], chance: Chance) {
    this.#round = mutations.flatMap((one) => new Array<Mutation>(one.weight ?? 1).fill(one));
    this.#chance = chance;
  }

  /** The first card that does something to this answer; the ones before it stay for the next. */
  deal(answer: Answer): { readonly kind: string; readonly mutated: Mutated } | null {
    for (let round = 0; round < 2; round += 1) {
      for (const [index, card] of this.#cards.entries()) {
        const mutated = card.apply(answer, this.#chance);
        if (mutated === null) continue;
        this.#cards.splice(index, 1);
        return { kind: card.kind, mutated };
      }
      this.#cards.push(...this.#chance.shuffled(this.#round));
    }
    return null;
  }
}

/** A copy, so that the answer itself stays as it came. */
export function changed(frame: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(frame);
  change(copy);
  return copy;
}

export function ints(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeInt32BE(value | 0, 4 * index));
  return bytes;
}

/** With a length that is right in front. */
export function framed(...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  return Buffer.concat([ints(body.length), body]);
}

export function goOn(bytes: Buffer): Mutated {
  return { bytes, then: 'go-on' };
}
