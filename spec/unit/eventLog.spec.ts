import { ConnectorError } from '../../lib/errors';
import { logEvents } from '../../lib/eventLog';
import { Events } from '../../lib/events';
import { silentLogger } from '../../lib/logger';

function parts(): { events: Events; lines: string[] } {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (message: string): void =>
      void lines.push(`${level}: ${message}`);
  const events = new Events(silentLogger);
  logEvents(events, {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  });
  return { events, lines };
}

const at = { topic: 'orders', partition: 0 };

describe('the log', () => {
  it('tells of positions that are not in the log any more louder than of new ones', () => {
    const { events, lines } = parts();
    events.emit('offset:reset', { ...at, from: null, to: 0, why: 'none' });
    events.emit('offset:reset', { ...at, from: 5, to: 9, why: 'out-of-range' });
    expect(lines.map((line) => line.split(':')[0])).toEqual(['info', 'warn']);
  });

  it('tells of a partition that stands still as an error', () => {
    const { events, lines } = parts();
    events.emit('partition:failed', { ...at, error: new ConnectorError('MESSAGE_CORRUPT', 'x') });
    expect(lines).toEqual(['error: a partition stands still']);
  });

  it('names a broker that stays away once, and another one, too', () => {
    const { events, lines } = parts();
    const error = new ConnectorError('BROKER_UNREACHABLE', 'x');
    for (const broker of ['a:1', 'a:1', 'b:1', 'a:1'])
      events.emit('fetch:failed', { broker, error, retryInMs: 200 });
    expect(lines).toHaveLength(2);
  });
});
