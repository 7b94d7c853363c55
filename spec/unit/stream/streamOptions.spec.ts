import { assertLoopOptions, assertStreamOptions, faultOfSignal } from '../../../lib/stream/streamOptions';
import { decoders } from '../../../lib/stream/decoders';

describe('options of streams', () => {
  it('are refused all at once', () => {
    const options = { keyDecoder: 'utf8', valueDecoder: 7, signal: 5 } as never;
    expect(() => assertStreamOptions(options)).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        context: { faults: [expect.any(String), expect.any(String), expect.any(String)] },
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
    for (const check of [assertStreamOptions, assertLoopOptions]) {
      expect(() => check(given as unknown as object)).toThrow(/must be an object, not /);
    }
  });

  it('of a loop may have a signal, and nothing else in its place', () => {
    expect(() => assertLoopOptions({})).not.toThrow();
    expect(() => assertLoopOptions({ signal: AbortSignal.abort() })).not.toThrow();
    expect(() => assertLoopOptions({ signal: 5 as unknown as AbortSignal })).toThrow(
      'signal must be an AbortSignal',
    );
  });
});
