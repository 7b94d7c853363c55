/** A part of an answer. The parts of an answer follow each other and cover all of its bytes. */
export interface Piece {
  /** Such as "stat.version" or "topics[0].partitions[2].errorCode". */
  readonly field: string;
  readonly bytes: Buffer;
}

/** An answer of a server, or that there was none. */
export type Answer = readonly Piece[] | 'closed' | 'silent';

export interface Difference {
  /** What was asked. */
  readonly request: string;
  readonly field: string;
  readonly real: string;
  readonly embedded: string;
}

/** Compares answers of a real server with those of an embedded one, and counts what it compared. */
export class Comparison {
  readonly differences: Difference[] = [];
  /** Answers that were compared. */
  answers = 0;
  /** Bytes that were compared. */
  bytes = 0;
  /** How often a field was left out, by its name without indices. */
  readonly leftOut = new Map<string, number>();
  readonly #isLeftOut: (field: string) => boolean;

  /** @param isLeftOut - says which fields cannot be the same, by their names without indices */
  constructor(isLeftOut: (field: string) => boolean) {
    this.#isLeftOut = isLeftOut;
  }

  add(request: string, real: Answer, embedded: Answer): void {
    this.answers += 1;
    if (typeof real === 'string' || typeof embedded === 'string') {
      if (real !== embedded) this.#differ(request, '(whole)', show(real), show(embedded));
      return;
    }
    for (let index = 0; index < Math.max(real.length, embedded.length); index++) {
      const [one, other] = [real[index], embedded[index]];
      if (one?.field !== other?.field || one === undefined || other === undefined) {
        this.#differ(
          request,
          one?.field ?? other?.field ?? '',
          one?.field ?? 'nothing',
          other?.field ?? 'nothing',
        );
        return;
      }
      this.#addPiece(request, one, other);
    }
  }

  /** For people: what was compared, and what was left out. */
  summary(): string {
    const left = [...this.leftOut].sort().map(([field, count]) => `${field} (${count})`);
    return `${this.answers} answers, ${this.bytes} bytes compared; left out: ${left.join(', ') || 'nothing'}`;
  }

  #addPiece(request: string, real: Piece, embedded: Piece): void {
    const name = withoutIndices(real.field);
    if (this.#isLeftOut(name)) {
      this.leftOut.set(name, (this.leftOut.get(name) ?? 0) + 1);
      return;
    }
    this.bytes += real.bytes.length;
    if (!real.bytes.equals(embedded.bytes)) {
      this.#differ(request, real.field, real.bytes.toString('hex'), embedded.bytes.toString('hex'));
    }
  }

  #differ(request: string, field: string, real: string, embedded: string): void {
    this.differences.push({ request, field, real, embedded });
  }
}

/** The name under which all items of a list are the same field: "topics[].partitions[].errorCode". */
export function withoutIndices(field: string): string {
  return field.replaceAll(/\[\d+\]/g, '[]');
}

function show(answer: Answer): string {
  return typeof answer === 'string' ? answer : answer.map(({ field }) => field).join(' ');
}
