import { EchoServer } from './support/EchoServer';
import { isOpen } from './support/isOpen';

const STOPPED = { status: 'rejected', reason: new Error('stopped before it was started') };

describe('a listener', () => {
  it('that is started twice at the same time listens once, and both wait for that', async () => {
    await using server = await EchoServer.start();
    const { listener } = server;
    const { port } = listener;
    await listener.stop();
    await listener.start();
    const second = listener.start();
    await listener.stop();
    await second;
    const starts = [listener.start(), listener.start()];
    await starts[1];
    expect(await isOpen(port)).toBe(true);
    await starts[0];
  });

  it('that is stopped while it starts does not listen', async () => {
    await using server = await EchoServer.start();
    const { listener } = server;
    const { port } = listener;
    await listener.stop();
    const start = Promise.allSettled([listener.start()]);
    await listener.stop();
    expect(await isOpen(port)).toBe(false);
    expect(listener.isListening).toBe(false);
    await expect(start).resolves.toEqual([STOPPED]);
  });

  it('does what it was told last', async () => {
    await using server = await EchoServer.start();
    const { listener } = server;
    const { port } = listener;
    const stops = [listener.stop()];
    const starts = [listener.start()];
    stops.push(listener.stop(), listener.stop());
    starts.push(listener.start());
    const [, last] = await Promise.allSettled(starts);
    await Promise.all(stops);
    expect(last?.status).toBe('fulfilled');
    expect(listener.port).toBe(port);
    expect(await isOpen(port)).toBe(true);
  });

  it('whose port is taken can be started later', async () => {
    await using taker = await EchoServer.start();
    await using server = new EchoServer(1, 1, taker.listener.port);
    await expect(server.listener.start()).rejects.toThrow('EADDRINUSE');
    expect(server.listener.isListening).toBe(false);
    await taker.listener.stop();
    await server.listener.start();
    expect(await isOpen(taker.listener.port)).toBe(true);
  });
});
