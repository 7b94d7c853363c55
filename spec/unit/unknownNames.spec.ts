import { didYouMean, nearestName } from '../../lib/unknownNames';

const NAMES = ['valueDecoder', 'keyDecoder', 'signal', 'max.wait.ms'];

describe('An unknown name', () => {
  it.each([
    ['valueDecorder', 'valueDecoder'],
    ['VALUEDECODER', 'valueDecoder'],
    ['value_decoder', 'valueDecoder'],
    ['decoderKey', 'keyDecoder'],
    ['sginal', 'signal'],
    ['singal', 'signal'],
    ['signals', 'signal'],
    ['sgnal', 'signal'],
    ['wait.max.ms', 'max.wait.ms'],
  ])('such as %s was probably meant to be %s', (name, meant) => {
    expect(nearestName(name, NAMES)).toBe(meant);
    expect(didYouMean(name, NAMES)).toBe(`Did you mean "${meant}"?`);
  });

  it.each(['', 'x', 'sig', 'isgnla', 'abort', 'decoder', 'constructor'])(
    'such as %j is like none',
    (name) => {
      expect(nearestName(name, NAMES)).toBeUndefined();
      expect(didYouMean(name, NAMES)).toBeUndefined();
    },
  );

  it('may be very long', () => {
    expect(nearestName('x'.repeat(1_000_000), NAMES)).toBeUndefined();
  });
});
