import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import { ByteWriter } from '../../support/produce/bytes';
import { Producer } from '../../support/produce/Producer';

const METADATA = 3;

/** A broker that knows one partition, t/0; `answers` are its answers to produce requests, null closes the socket. */
class FakeBroker implements AsyncDisposable {
  readonly requests: number[] = [];
  readonly answers: ({ errorCode: number; baseOffset: number } | null)[] = [];
  leader = 1;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((socket) => {
    this.#sockets.add(socket);
    socket.on('data', (frame) => {
      // Requests are small and come one at a time, so each is one chunk.
      const apiKey = frame.readInt16BE(4);
      this.requests.push(apiKey);
      const body = apiKey === METADATA ? this.#metadata() : this.#produced();
      if (body === null) socket.destroy();
      else
        socket.write(
          new ByteWriter()
            .int32(body.length + 4)
            .int32(frame.readInt32BE(8))
            .raw(body)
            .toBuffer(),
        );
    });
  });

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  get address(): { host: string; port: number } {
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #metadata(): Buffer {
    const { host, port } = this.address;
    const body = new ByteWriter().int32(1).int32(1).string(host).int32(port);
    body.int32(1).int16(0).string('t').int32(1).int16(0).int32(0).int32(this.leader).int32(0).int32(0);
    if (this.leader < 0) this.leader = 1;
    return body.toBuffer();
  }

  #produced(): Buffer | null {
    const answer = this.answers.shift() ?? null;
    if (answer === null) return null;
    const body = new ByteWriter().int32(1).string('t').int32(1).int32(0);
    return body.int16(answer.errorCode).int64(answer.baseOffset).toBuffer();
  }
}

describe('Producer', () => {
  it.each([
    ['a partition whose leader has moved', { errorCode: 6, baseOffset: -1 }],
    ['a partition without a leader', { errorCode: 5, baseOffset: -1 }],
    ['a connection that breaks', null],
  ])('sends again after %s', async (_, first) => {
    await using broker = await new FakeBroker().listen();
    broker.answers.push(first, { errorCode: 0, baseOffset: 42 });
    await using producer = new Producer({ brokers: [broker.address], timeoutMs: 5000 });
    await expect(producer.send('t', 0, [{ value: 'a' }])).resolves.toBe(42);
    expect(broker.requests).toEqual([METADATA, 0, METADATA, 0]);
  });

  it('waits for a leader', async () => {
    await using broker = await new FakeBroker().listen();
    broker.leader = -1;
    broker.answers.push({ errorCode: 0, baseOffset: 0 });
    await using producer = new Producer({ brokers: [broker.address], timeoutMs: 5000 });
    await expect(producer.send('t', 0, [{ value: 'a' }])).resolves.toBe(0);
    expect(broker.requests).toEqual([METADATA, METADATA, 0]);
  });

  it('fails at once with an error that does not pass', async () => {
    await using broker = await new FakeBroker().listen();
    broker.answers.push({ errorCode: 10, baseOffset: -1 });
    await using producer = new Producer({ brokers: [broker.address], timeoutMs: 5000 });
    await expect(producer.send('t', 0, [{ value: 'a' }])).rejects.toThrow('answered for t/0 with error 10');
  });

  it('gives up at its deadline and says why', async () => {
    const broker = await new FakeBroker().listen();
    const { address } = broker;
    await broker[Symbol.asyncDispose]();
    await using producer = new Producer({ brokers: [address], timeoutMs: 100 });
    const failure: unknown = await producer.send('t', 0, [{ value: 'a' }]).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      message: 'No success with t/0 within 100 ms',
      cause: { message: expect.stringContaining('ECONNREFUSED') as string },
    });
  });
});
