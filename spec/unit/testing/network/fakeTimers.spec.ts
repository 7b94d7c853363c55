import { waitFor } from '../../../support/waitFor';
import { EchoServer } from './support/EchoServer';

describe('while a test fakes its timers', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('frames take their time and arrive', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    server.network.delay(10);
    client.send('one', '?');
    await waitFor(() => client.frames.length === 3, { timeoutMs: 3000, description: 'the answers' });
    expect(client.frames).toEqual(['one', '?', '!']);
  });

  it('frames do not hurry when the test lets its time pass', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    server.network.delay(60_000, {}, 'answers');
    client.send('label:heard');
    await waitFor(() => server.connections[0]?.client === 'heard', {
      ...{ timeoutMs: 3000, description: 'a label' },
    });
    jest.advanceTimersByTime(120_000);
    const other = await server.client();
    server.network.heal();
    other.send('other');
    await waitFor(() => other.frames.length === 1, { timeoutMs: 3000, description: 'an answer' });
    expect(client.frames).toEqual([]);
  });
});
