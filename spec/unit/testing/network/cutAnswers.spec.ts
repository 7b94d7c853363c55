import { waitFor } from '../../../support/waitFor';
import { EchoServer, framed } from './support/EchoServer';

describe('an answer that is cut', () => {
  it.each([0, 1, 4, 7, 1000])(
    'is the last, with its first %d bytes, whatever comes behind it',
    async (bytes) => {
      await using server = await EchoServer.start();
      const client = await server.client();
      server.network.cutNextAnswer(bytes);
      client.send('first', '?', 'third', 'fourth', 'fifth');
      await waitFor(() => client.socket.destroyed, { timeoutMs: 3000, description: 'the end' });
      expect(client.bytes).toEqual(framed('first').subarray(0, bytes));
    },
  );

  it('comes behind those that were sent before', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    client.send('before');
    await waitFor(() => client.frames.length === 1, { timeoutMs: 3000, description: 'an answer' });
    server.network.delay(10, {}, 'answers');
    server.network.cutNextAnswer(2);
    client.send('cut', 'never', 'never');
    await waitFor(() => client.socket.destroyed, { timeoutMs: 3000, description: 'the end' });
    expect(client.bytes).toEqual(Buffer.concat([framed('before'), Buffer.from([0, 0])]));
  });

  it('is one, when five are pipelined', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    const cut = server.network.cutNextAnswer(3, {}, 2);
    client.send('1', '2', '3', '4', '5');
    await waitFor(() => client.socket.destroyed, { timeoutMs: 3000, description: 'the end' });
    expect(cut.timesLeft).toBe(1);
  });
});
