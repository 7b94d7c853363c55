import { changed, framed, goOn, ints, type Chance, type Mutation } from './mutation';

/** Numbers at which lengths and counts go wrong. */
export const EXTREMES: readonly number[] = [
  ...[0, 1, 3, 7, 255, 65_536, 20_000_000, 40_000_000, 0x4000_0000, 0x7fff_ffff],
  ...[-1, -2, -4, -5, -8, -9, -12, -13, -16, -20, -0x8000_0000],
];

const HTTP = Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
/** An alert, and the beginning of a handshake. */
const TLS = [Buffer.from('15030300020228', 'hex'), Buffer.from('160303007a02000076', 'hex')];
const LENGTH_BYTES = 4;

function flipped(frame: Buffer, count: number, from: number, end: number, chance: Chance): Buffer {
  return changed(frame, (copy) => {
    for (let n = 0; n < count; n += 1) {
      const at = chance.between(from, Math.min(end, copy.length));
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << chance.below(8)), at);
    }
  });
}

/** Behind the length: the frame's bytes, and a place among them. */
function opened(frame: Buffer, chance: Chance): { readonly body: Buffer; readonly at: number } {
  const body = frame.subarray(LENGTH_BYTES);
  return { body, at: chance.below(body.length + 1) };
}

/** So many numbers in a row, at a place where often one begins. */
function withInts(frame: Buffer, count: number, chance: Chance): Buffer | null {
  const room = frame.length - LENGTH_BYTES * (1 + count);
  if (room < 0) return null;
  const isAligned = chance.isTrue(0.7);
  const at = LENGTH_BYTES + (isAligned ? 4 * chance.below(Math.floor(room / 4) + 1) : chance.below(room + 1));
  return changed(frame, (copy) => {
    for (let n = 0; n < count; n += 1) copy.writeInt32BE(chance.of(EXTREMES), at + 4 * n);
  });
}

const orNull = (bytes: Buffer | null): ReturnType<Mutation['apply']> => (bytes === null ? null : goOn(bytes));

/** What can happen to any answer that has its length in front, whatever is in it. */
export const frameMutations: readonly Mutation[] = [
  {
    kind: 'a flipped bit',
    weight: 3,
    isPlausible: true,
    apply: ({ frame }, chance) => goOn(flipped(frame, 1, 0, frame.length, chance)),
  },
  {
    kind: 'flipped bits in front',
    isPlausible: true,
    apply: ({ frame }, chance) => goOn(flipped(frame, 1 + chance.below(3), 4, 32, chance)),
  },
  {
    kind: 'many flipped bits',
    isPlausible: true,
    apply: ({ frame }, chance) => goOn(flipped(frame, 2 + chance.below(30), 4, frame.length, chance)),
  },
  {
    kind: 'an extreme number inside',
    weight: 3,
    isPlausible: true,
    apply: ({ frame }, chance) => orNull(withInts(frame, 1, chance)),
  },
  {
    kind: 'extreme numbers inside',
    weight: 2,
    isPlausible: true,
    apply: ({ frame }, chance) => orNull(withInts(frame, 2 + chance.below(3), chance)),
  },
  {
    kind: 'another length',
    weight: 3,
    apply({ frame }, chance) {
      const near = [frame.length, frame.length - 5, frame.length - 3, -frame.length, 4 - frame.length];
      const length = chance.isTrue(0.7) ? chance.of(EXTREMES) : chance.of(near);
      return goOn(Buffer.concat([ints(length), frame.subarray(LENGTH_BYTES)]));
    },
  },
  {
    kind: 'cut, then the end',
    apply: ({ frame }, chance) => ({
      bytes: frame.subarray(0, chance.between(1, frame.length)),
      then: 'end',
    }),
  },
  {
    kind: 'cut, then silence',
    apply: ({ frame }, chance) => ({
      bytes: frame.subarray(0, chance.between(1, frame.length)),
      then: 'silence',
    }),
  },
  {
    kind: 'cut, and the next one behind it',
    apply: ({ frame }, chance) => goOn(frame.subarray(0, chance.between(1, frame.length))),
  },
  {
    kind: 'too short, with the right length',
    apply({ frame }, chance) {
      const { body, at } = opened(frame, chance);
      return goOn(framed(body.subarray(0, Math.min(at, body.length - 1))));
    },
  },
  {
    kind: 'too long, with the right length',
    apply: ({ frame }, chance) =>
      goOn(framed(frame.subarray(LENGTH_BYTES), chance.bytes(chance.between(1, 100)))),
  },
  {
    kind: 'bytes put in',
    isPlausible: true,
    apply({ frame }, chance) {
      const { body, at } = opened(frame, chance);
      return goOn(framed(body.subarray(0, at), chance.bytes(chance.between(1, 9)), body.subarray(at)));
    },
  },
  {
    kind: 'bytes put in, with the old length',
    isPlausible: true,
    apply({ frame }, chance) {
      const at = chance.between(LENGTH_BYTES, frame.length + 1);
      const more = chance.bytes(chance.between(1, 9));
      return goOn(Buffer.concat([frame.subarray(0, at), more, frame.subarray(at)]));
    },
  },
  {
    kind: 'bytes left out',
    isPlausible: true,
    apply({ frame }, chance) {
      const { body, at } = opened(frame, chance);
      return goOn(framed(body.subarray(0, at), body.subarray(at + chance.between(1, 9))));
    },
  },
  { kind: 'twice', apply: ({ frame }) => goOn(Buffer.concat([frame, frame])) },
  {
    kind: 'an old one in front',
    apply: ({ frame, previous }) => (previous === null ? null : goOn(Buffer.concat([previous, frame]))),
  },
  {
    kind: 'an old one instead',
    apply: ({ previous }) => (previous === null ? null : goOn(previous)),
  },
  {
    kind: 'behind the next one',
    apply: ({ frame, previous }) => (previous === null ? null : { bytes: frame, then: 'hold' }),
  },
  {
    kind: 'garbage in front',
    apply: ({ frame }, chance) =>
      goOn(
        Buffer.concat([chance.bytes(chance.between(1, 40)), chance.isTrue(0.5) ? frame : Buffer.alloc(0)]),
      ),
  },
  {
    kind: 'garbage with a length',
    apply: (_, chance) => goOn(framed(chance.bytes(chance.between(1, 200)))),
  },
  { kind: 'nothing but a length of zero', apply: () => goOn(ints(0)) },
  {
    kind: 'nothing but zeros or ones',
    apply: (_, chance) => goOn(Buffer.alloc(chance.between(4, 200), chance.of([0, 0xff]))),
  },
  { kind: 'HTTP', apply: (_, chance) => ({ bytes: HTTP, then: chance.of(['go-on', 'end', 'silence']) }) },
  { kind: 'TLS', apply: (_, chance) => ({ bytes: chance.of(TLS), then: chance.of(['go-on', 'end']) }) },
];
