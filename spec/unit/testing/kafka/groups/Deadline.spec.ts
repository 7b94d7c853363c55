import { once } from 'node:events';
import { connect, createServer } from 'node:net';

import { Deadline } from '../../../../../lib/testing/kafka/groups/Deadline';
import { waitFor } from '../../../../support/waitFor';

/** Nothing else happens in this process meanwhile. */
function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

describe('a deadline', () => {
  it('passes after its time', async () => {
    const beginMs = performance.now();
    await new Promise<void>((resolve) => new Deadline().start(20, resolve));
    expect(performance.now() - beginMs).toBeGreaterThan(18);
  });

  it('does not pass when it is stopped, not even if its time is over already', async () => {
    const deadline = new Deadline();
    const passed = jest.fn();
    const stopped = new Promise<void>((resolve) => {
      deadline.start(1, passed);
      setTimeout(() => {
        deadline.stop();
        resolve();
      }, 1);
    });
    block(5);
    await stopped;
    await new Promise((resolve) => void setImmediate(resolve));
    expect(passed).not.toHaveBeenCalled();
  });

  it('is put off by what has arrived while the process was busy', async () => {
    const deadline = new Deadline();
    let heard = '';
    let passedCount = 0;
    const server = createServer((socket) => {
      socket.on('data', (data) => {
        heard += data.toString();
        deadline.start(60_000, () => passedCount++);
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
    await once(client, 'connect');
    client.write('1');
    await waitFor(() => heard === '1', { timeoutMs: 5000, intervalMs: 1, description: 'the connection' });
    deadline.start(5, () => passedCount++);
    client.write('2');
    block(30);
    await waitFor(() => heard === '12', { timeoutMs: 5000, intervalMs: 1, description: 'the data' });
    await new Promise((resolve) => void setImmediate(resolve));
    expect(passedCount).toBe(0);
    deadline.stop();
    client.destroy();
    server.close();
    await once(server, 'close');
  });
});
