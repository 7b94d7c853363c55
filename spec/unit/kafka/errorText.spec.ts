import { errorText } from '../../../lib/kafka/errorText';

describe('errorText', () => {
  it.each([
    [new Error('one'), 'one'],
    [new AggregateError([new Error('one'), new Error('two')], ''), 'one; two'],
    [new AggregateError([], 'none'), 'none'],
    ['text', 'text'],
    [null, 'null'],
    [undefined, 'undefined'],
    [{}, 'unknown error'],
  ])('says what %p says', (error, text) => {
    expect(errorText(error)).toBe(text);
  });
});
