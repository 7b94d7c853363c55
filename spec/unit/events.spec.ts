import { setImmediate as turn } from 'node:timers/promises';

import { Events } from '../../lib/events';
import { silentLogger } from '../../lib/logger';
import { connectorErrorOf } from './connectorErrorOf';

const LOST = { sessionId: '0x1' };

function parts(): { events: Events; logged: { message: string; error: unknown }[] } {
  const logged: { message: string; error: unknown }[] = [];
  const error = (message: string, fields?: object): void => {
    logged.push({ message, error: (fields as { error: unknown }).error });
  };
  return { events: new Events({ ...silentLogger, error }), logged };
}

describe('Events', () => {
  it('tells the listeners of an event in their order, and no others', () => {
    const { events } = parts();
    const told: unknown[] = [];
    events.on('session:lost', (payload) => told.push(['first', payload]));
    events.on('session:lost', () => told.push('second'));
    events.on('session:suspended', () => told.push('other'));
    events.emit('session:lost', LOST);
    events.emit('connector:closed', { error: null });
    expect(told).toEqual([['first', LOST], 'second']);
  });

  it('does not tell a listener that was taken away', () => {
    const { events } = parts();
    let told = 0;
    const off = events.on('session:lost', () => (told += 1));
    events.emit('session:lost', LOST);
    off();
    off();
    events.emit('session:lost', LOST);
    expect(told).toBe(1);
  });

  it('logs a listener that throws or rejects, and tells the others', async () => {
    const { events, logged } = parts();
    const [thrown, rejected] = [new Error('thrown'), new Error('rejected')];
    let told = 0;
    events.on('session:lost', () => {
      throw thrown;
    });
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- JavaScript cannot know better
    events.on('session:lost', () => Promise.reject(rejected));
    events.on('session:lost', () => (told += 1));
    events.emit('session:lost', LOST);
    await turn();
    expect(told).toBe(1);
    expect(logged).toEqual([
      { message: 'a listener of session:lost threw', error: thrown },
      { message: 'a listener of session:lost threw', error: rejected },
    ]);
  });

  it.each([
    [
      'rebalance:finish',
      '"rebalance:finish" (string) is none of the events. Did you mean "rebalance:finished"?',
    ],
    ['session-lost', '"session-lost" (string) is none of the events. Did you mean "session:lost"?'],
    ['error', '"error" (string) is none of the events; there are session:connected, session:suspended, '],
    [5, '5 (number) is none of the events; there are '],
  ])('knows no event %p', (name, why) => {
    const { events } = parts();
    const error = connectorErrorOf(() => events.on(name as 'session:lost', () => undefined));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain(why);
  });

  it('refuses a listener that is none', () => {
    const { events } = parts();
    const error = connectorErrorOf(() => events.on('session:lost', undefined as unknown as () => void));
    expect(error.context.faults).toEqual(['the listener of an event must be a function, not undefined']);
  });

  it('ends although a listener adds itself again each time', () => {
    const { events } = parts();
    let told = 0;
    let off = (): void => undefined;
    const listener = (): void => {
      told += 1;
      off();
      off = events.on('session:lost', listener);
    };
    off = events.on('session:lost', listener);
    events.emit('session:lost', LOST);
    events.emit('session:lost', LOST);
    expect(told).toBe(2);
  });
});
