import { assertLoopOptions, assertStreamOptions, faultOfSignal } from '../../../lib/stream/streamOptions';
import { decoders } from '../../../lib/stream/decoders';
import { streamOf } from './support/parts';

const LOOPS = ['messages', 'batches', 'toReadable'] as const;

describe('options of streams', () => {
  it('are refused all at once', () => {
    const options = { keyDecoder: 'utf8', valueDecoder: 7, signal: 5, valueDecorder: decoders.utf8 } as never;
    expect(() => assertStreamOptions(options)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        context: {
          faults: [
            '"valueDecorder" is none of the options of the streams. Did you mean "valueDecoder"?',
            ...['keyDecoder', 'valueDecoder', 'signal'].map(
              (name) => expect.stringContaining(`${name} must be`) as string,
            ),
          ],
        },
      }) as Error,
    );
  });

  it('are taken when they are right, or not there', () => {
    expect(() => assertStreamOptions({})).not.toThrow();
    const { signal } = new AbortController();
    expect(() =>
      assertStreamOptions({ keyDecoder: decoders.utf8, valueDecoder: decoders.json, signal }),
    ).not.toThrow();
  });

  it.each([null, 5, {}, { aborted: true }])('have no signal such as %p', (signal) => {
    expect(faultOfSignal(signal)).toContain('AbortSignal');
  });
});

describe('options', () => {
  it.each([null, 5, 'x'])('that are no object are refused: %p', (given) => {
    const options = given as unknown as object;
    expect(() => assertStreamOptions(options)).toThrow('the options of the streams must be an object, not ');
    for (const loop of LOOPS) {
      expect(() => assertLoopOptions(loop, options)).toThrow(
        `the options of ${loop} must be an object, not `,
      );
    }
  });

  it.each(LOOPS)('of %s may have a signal, and nothing else in its place', (loop) => {
    expect(() => assertLoopOptions(loop, {})).not.toThrow();
    expect(() => assertLoopOptions(loop, { signal: AbortSignal.abort() })).not.toThrow();
    expect(() => assertLoopOptions(loop, { signal: 5 as unknown as AbortSignal })).toThrow(
      'signal must be an AbortSignal',
    );
  });

  it.each<[loop: (typeof LOOPS)[number], options: object, fault: string]>([
    ['messages', { sginal: 1 }, '"sginal" is none of the options of messages. Did you mean "signal"?'],
    ['messages', { maxMessages: 1 }, '"maxMessages" is none of the options of messages; there are signal'],
    [
      'batches',
      { maxMesages: 1 },
      '"maxMesages" is none of the options of batches. Did you mean "maxMessages"?',
    ],
    [
      'toReadable',
      { highWatermark: 1 },
      '"highWatermark" is none of the options of toReadable. Did you mean "highWaterMark"?',
    ],
    [
      'toReadable',
      { objectMode: true },
      '"objectMode" is none of the options of toReadable; there are signal, highWaterMark',
    ],
  ])('of %s cannot be %j', (loop, options, fault) => {
    expect(() => assertLoopOptions(loop, options)).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID', context: { faults: [fault] } }) as Error,
    );
  });

  it.each(LOOPS)('are looked at by a stream: %s', (loop) => {
    const { stream } = streamOf();
    const unknown = { unknown: 1 } as object;
    expect(() => stream[loop](unknown)).toThrow(
      `"unknown" is none of the options of ${loop}; there are signal`,
    );
  });

  it('of a loop may be all that it has', () => {
    expect(() => assertLoopOptions('batches', { maxMessages: 5 })).not.toThrow();
    expect(() => assertLoopOptions('toReadable', { highWaterMark: 5 })).not.toThrow();
  });
});
