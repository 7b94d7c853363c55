import { assertStreamOptions, faultOfSignal } from '../../../lib/stream/streamOptions';
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
