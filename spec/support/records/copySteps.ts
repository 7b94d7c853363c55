/** Some bytes as they are, then a copy of bytes that were there before; the last step copies nothing. */
export interface CopyStep {
  readonly literals: Buffer;
  /** How far back the copy begins; 0 for no copy. */
  readonly distance: number;
  /** How many bytes are copied; more than `distance` repeats them. */
  readonly length: number;
}

const LEAST_COPY_BYTES = 4;
const MOST_DISTANCE = 0xffff;
/** lz4 wants its last bytes as literals; it does no harm elsewhere. */
const TAIL_BYTES = 12;

/** Takes the first repetition of four bytes that it meets: enough to have copies of all kinds. */
export function copySteps(bytes: Buffer): CopyStep[] {
  const steps: CopyStep[] = [];
  const places = new Map<number, number>();
  let literalsAt = 0;
  let at = 0;
  while (at + TAIL_BYTES <= bytes.length) {
    const word = bytes.readUInt32LE(at);
    const before = places.get(word);
    places.set(word, at);
    if (before === undefined || at - before > MOST_DISTANCE) {
      at += 1;
      continue;
    }
    let length = LEAST_COPY_BYTES;
    while (at + length < bytes.length - TAIL_BYTES && bytes[before + length] === bytes[at + length]) {
      length += 1;
    }
    steps.push({ literals: bytes.subarray(literalsAt, at), distance: at - before, length });
    at += length;
    literalsAt = at;
  }
  steps.push({ literals: bytes.subarray(literalsAt), distance: 0, length: 0 });
  return steps;
}
