import { guarded, silentLogger, type Logger } from '../../lib/logger';

describe('the logger of the application', () => {
  it.each([null, {}, { warn: () => undefined }, { ...silentLogger, info: 'text' }])(
    'is refused if it lacks a method: %p',
    (logger) => {
      expect(() => guarded(logger as unknown as Logger)).toThrow(
        expect.objectContaining({ code: 'CONFIG_INVALID' }) as Error,
      );
    },
  );

  it('is called as it is, and may throw', () => {
    const lines: unknown[] = [];
    const logger = guarded({
      ...silentLogger,
      info: (...line: unknown[]) => lines.push(line),
      warn: () => {
        throw new Error('disk full');
      },
    });
    logger.info('hello', { a: 1 });
    logger.info('nothing more'); // which a console would print as "undefined"
    logger.warn('never mind');
    expect(lines).toEqual([['hello', { a: 1 }], ['nothing more']]);
  });
});
