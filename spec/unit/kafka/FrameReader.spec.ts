import fc from 'fast-check';
import { FrameReader } from '../../../lib/kafka/FrameReader';
import { frame } from './support/FakeBroker';

/** A reader that expects the ids 1, 2, 3 and so on. */
function reader(
  maxFrameBytes = 1000,
  headBytes = 0,
): { frames: FrameReader; bodies: Buffer[]; cut: boolean[] } {
  const bodies: Buffer[] = [];
  const cut: boolean[] = [];
  return {
    ...{ bodies, cut },
    frames: new FrameReader(
      () => ({ id: bodies.length + 1, maxBytes: maxFrameBytes, headBytes }),
      (body, isCut) => {
        bodies.push(body);
        cut.push(isCut);
      },
    ),
  };
}

describe('FrameReader', () => {
  it('delivers the same bodies however the bytes are cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 30 }),
        (sent, cuts) => {
          const stream = Buffer.concat(sent.map((body, index) => frame(index + 1, Buffer.from(body))));
          const { frames, bodies } = reader();
          let at = 0;
          for (let i = 0; at < stream.length; i++) {
            const end = at + (cuts[i % cuts.length] ?? 1);
            frames.push(stream.subarray(at, end));
            at = end;
          }

          expect(bodies.map((body) => [...body])).toEqual(sent.map((body) => [...body]));
          expect(frames.inside).toBe(false);
        },
      ),
    );
  });

  it('gives each body memory of its own and of its exact size', () => {
    const { frames, bodies } = reader();
    frames.push(Buffer.concat([frame(1, Buffer.from('one')), frame(2, Buffer.from('second'))]));

    expect(bodies.map((body) => body.buffer.byteLength)).toEqual([3, 6]);
  });

  it('knows whether it is inside a frame', () => {
    const { frames } = reader();
    const bytes = frame(1, Buffer.from('body'));
    frames.push(bytes.subarray(0, 3));

    expect(frames.inside).toBe(true);
    frames.push(bytes.subarray(3, 9));

    expect(frames.inside).toBe(true);
    frames.push(bytes.subarray(9));

    expect(frames.inside).toBe(false);
  });

  it.each([
    ['longer than it may be', 1001],
    ['too short for its id', 3],
    ['negative', -1],
    ['the longest', 0x7fff_ffff],
  ])('refuses a length that is %s, with its first four bytes', (_name, length) => {
    const { frames } = reader(1000);
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(length);

    expect(() => frames.push(bytes)).toThrow(`an answer of ${length} bytes was announced`);
  });

  it('takes the longest frame that it may', () => {
    const { frames, bodies } = reader(1000);
    frames.push(frame(1, Buffer.alloc(996)));

    expect(bodies).toHaveLength(1);
  });

  it.each([
    ['at once', 10_000],
    ['byte by byte', 1],
  ])(
    'delivers the head of a frame that is too long, if it is wanted, and refuses it then, %s',
    (_name, chunkBytes) => {
      const { frames, bodies, cut } = reader(20, 8);
      const bytes = Buffer.concat([
        frame(1, Buffer.from('short')),
        frame(2, Buffer.from('a body that is too long')),
      ]);
      const push = (): void => {
        for (let at = 0; at < bytes.length; at += chunkBytes)
          frames.push(bytes.subarray(at, at + chunkBytes));
      };

      expect(push).toThrow('an answer of 27 bytes was announced, at most 20 are taken');
      expect(bodies.map(String)).toEqual(['short', 'a body t']);
      expect(cut).toEqual([false, true]);
    },
  );

  it('gives a head no more memory than a frame may have', () => {
    const { frames, bodies, cut } = reader(20, 1000);

    expect(() => frames.push(frame(1, Buffer.alloc(30)))).toThrow('an answer of 34 bytes');
    expect([bodies[0]?.buffer.byteLength, cut]).toEqual([20, [true]]);
  });

  it('refuses a frame that is too long without its head if its id is not due', () => {
    const { frames, bodies } = reader(20, 8);

    expect(() => frames.push(frame(2, Buffer.alloc(30)))).toThrow('an answer with id 2 came where 1 is due');
    expect(bodies).toEqual([]);
  });

  it('refuses an id that is not due', () => {
    const { frames } = reader();

    expect(() => frames.push(frame(2, Buffer.from('x')))).toThrow('an answer with id 2 came where 1 is due');
  });

  it('refuses bytes when nothing is due', () => {
    const frames = new FrameReader(
      () => undefined,
      () => undefined,
    );

    expect(() => frames.push(frame(1, Buffer.from('x')))).toThrow('bytes came that nothing was asked for');
  });

  it.each([
    [
      'HTTP',
      Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
      ['it is HTTP: the address is probably not that of a Kafka broker', 'HTTP/1.1 400 Bad Request'],
    ],
    [
      'TLS',
      Buffer.from('15030300020246', 'hex'),
      ['it is TLS: set security.protocol to SSL or SASL_SSL', '15030300020246'],
    ],
    [
      'SSH',
      Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'),
      ['it is not an answer of a Kafka broker: the address is probably not', 'SSH-2.0-OpenSSH_9.2'],
    ],
  ])('says what it looks like when it is %s, also byte by byte', (_name, bytes, [what, start]) => {
    expect(() => reader().frames.push(bytes)).toThrow(what);
    expect(() => reader().frames.push(bytes)).toThrow(start);
    const { frames } = reader();

    expect(() => {
      for (const byte of bytes) frames.push(Buffer.from([byte]));
    }).toThrow(what);
  });

  it('reads bare tokens, which have a length and no id, between answers', () => {
    const bodies: string[] = [];
    const due = [1, null, null, 2].map((id) => ({ id, maxBytes: 20, headBytes: 0 }));
    const frames = new FrameReader(
      () => due[bodies.length],
      (body) => bodies.push(body.toString()),
    );
    const token = Buffer.concat([Buffer.from([0, 0, 0, 5]), Buffer.from('token')]);
    const bytes = Buffer.concat([
      frame(1, Buffer.from('one')),
      token,
      Buffer.alloc(4),
      frame(2, Buffer.from('two')),
    ]);
    for (const byte of bytes) frames.push(Buffer.from([byte]));

    expect(bodies).toEqual(['one', 'token', '', 'two']);
    expect(() => frames.push(Buffer.from([0, 0, 0, 1]))).toThrow('nothing was asked for');
  });

  it('ignores what comes after it was stopped', () => {
    const { frames, bodies } = reader();
    frames.push(frame(1, Buffer.from('one')).subarray(0, 9));
    frames.stop();
    frames.push(Buffer.from('anything at all'));

    expect(bodies).toEqual([]);
  });
});
