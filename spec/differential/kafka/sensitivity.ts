import { Comparison, type Answer, type Piece } from '../Comparison';
import type { Recorded } from './Stage';

/** An answer that differs from the right one, and is not told from it. */
export interface Unseen {
  readonly request: string;
  readonly what: string;
}

type IsLeftOut = (field: string) => boolean;

/** More of them would take too long to be read anew for each of their bytes. */
const MOST_BYTES = 1500;
const SOME_BITS = 0x15;

/** Alters each byte of each piece that is compared, and looks whether the comparison finds it. */
export function unseenPieces(recorded: readonly Recorded[], isLeftOut: IsLeftOut): Unseen[] {
  const unseen: Unseen[] = [];
  // What is the same in many answers need be looked at once.
  const seen = new Set<string>();
  for (const { request, answer } of recorded) {
    if (typeof answer === 'string') {
      if (isSame(answer, answer === 'closed' ? 'silent' : 'closed', isLeftOut))
        unseen.push({ request, what: answer });
      continue;
    }
    for (const piece of answer) {
      const key = `${piece.field} ${piece.bytes.toString('latin1')}`;
      if (isLeftOut(piece.field) || seen.has(key)) continue;
      seen.add(key);
      unseen.push(...unseenIn(request, piece, isLeftOut));
    }
  }
  return unseen;
}

function unseenIn(request: string, piece: Piece, isLeftOut: IsLeftOut): Unseen[] {
  return [...piece.bytes.keys()]
    .filter((at) => isSame([piece], [{ ...piece, bytes: altered(piece.bytes, at) }], isLeftOut))
    .map((at) => ({ request, what: `${piece.field}, byte ${at}` }));
}

/**
 * Alters each byte of answers as they came, one answer of each kind, and reads them anew: so many bytes may go unseen as
 * there are in the fields that are left out.
 */
export function unseenBytes(recorded: readonly Recorded[], isLeftOut: IsLeftOut): Unseen[] {
  const kinds = new Set<string>();
  return recorded.flatMap(({ request, answer, source }) => {
    const kind = request.split(',')[0] ?? request;
    if (source === undefined || source.raw.length > MOST_BYTES || kinds.has(kind)) return [];
    kinds.add(kind);
    const { raw, read } = source;
    const unseen = [...raw.keys()].filter((at) => isSame(answer, read(altered(raw, at)), isLeftOut));
    const most = typeof answer === 'string' ? 0 : sizeOf(answer.filter(({ field }) => isLeftOut(field)));
    return unseen.length <= most ? [] : [{ request, what: `bytes ${unseen.join(', ')}` }];
  });
}

function isSame(one: Answer, other: Answer, isLeftOut: IsLeftOut): boolean {
  const comparison = new Comparison(isLeftOut);
  comparison.add('', one, other);
  return comparison.differences.length === 0;
}

function altered(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ SOME_BITS, at);
  return copy;
}

function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
