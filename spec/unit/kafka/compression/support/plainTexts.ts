const ACTIONS = ['order', 'pay', 'cancel', 'view', 'return'];

/** What the vectors hold uncompressed; made anew here, so that the fixture need not hold it. */
export const plainTexts = {
  empty: Buffer.alloc(0),
  short: Buffer.from('kafka'),
  /** Incompressible, so that blocks are stored as they are. */
  noise: noise(1_000),
  /** Enough for literals in four streams, and for tables of its own. */
  lines: jsonLines(16_384),
  /** Several blocks for every codec; matches that overlap themselves at distances 1 and 3. */
  mixed: Buffer.concat([
    jsonLines(6_000),
    Buffer.alloc(70_000, 'x'),
    jsonLines(6_000),
    Buffer.alloc(75_000, 'xyz'),
  ]),
} as const;

export type PlainText = keyof typeof plainTexts;

/** Lines as applications write them: the same names, and values of a few kinds. */
export function jsonLines(bytes: number, seed = 1): Buffer {
  const random = numbersFrom(seed);
  let text = '';
  while (text.length < bytes) {
    const id = random() % 1_000_000;
    text += `{"id":${id},"user":"user-${random() % 500}","action":"${ACTIONS[random() % ACTIONS.length] ?? ''}",`;
    text += `"amount":${(random() % 100_000) / 100},"at":${1_480_000_000_000 + id * 37}}\n`;
  }
  return Buffer.from(text.slice(0, bytes));
}

/** Bytes without a pattern. */
export function noise(bytes: number): Buffer {
  const random = numbersFrom(7);
  return Buffer.from(Array.from({ length: bytes }, () => random() >>> 8));
}

/** The same numbers below 2^24 for the same seed, on every machine. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
