import { BrokerConnection, type BrokerConnectionOptions } from '../../../lib/kafka/BrokerConnection';
import type { KafkaRequest } from '../../../lib/kafka/wire';
import { FakeBroker, frame, modern, type Handler } from './support/FakeBroker';
import { leavesNothing } from './support/leavesNothing';

const defaults: BrokerConnectionOptions = { clientId: 'spec', timeoutMs: 1000, maxFrameBytes: 100_000 };

/** Sends a text and expects one. */
function echo(text: string): KafkaRequest<string> {
  return {
    apiKey: 1,
    apiVersion: 0,
    name: 'Echo v0',
    write: (writer) => writer.string(text),
    read: (reader) => reader.string(),
  };
}

const echoing: Handler = ({ socket, correlationId, body }) => {
  socket.write(frame(correlationId, body));
};

/** Runs `body` with a connection to a broker that does `handler`; nothing may be left afterwards. */
async function withConnection(
  handler: Handler,
  body: (connection: BrokerConnection, broker: FakeBroker) => Promise<void>,
  options: Partial<BrokerConnectionOptions> = {},
): Promise<void> {
  await leavesNothing(async () => {
    await using broker = await FakeBroker.start(modern(handler));
    const connection = await BrokerConnection.connect(broker.endpoint, { ...defaults, ...options });
    try {
      await body(connection, broker);
    } finally {
      connection.close();
    }
  });
}

describe('BrokerConnection', () => {
  it('sends a request with its header and gives the answer', async () => {
    await withConnection(echoing, async (connection, broker) => {
      expect(await connection.request(echo('grüße'))).toBe('grüße');
      expect(broker.requests.at(-1)).toMatchObject({
        apiKey: 1,
        apiVersion: 0,
        correlationId: 2,
        clientId: 'spec',
      });
      expect(connection.broker).toEqual(broker.endpoint);
      expect(connection.closed).toBe(false);
    });
  });

  it('sends requests without waiting, and gives each its answer', async () => {
    const held: (() => void)[] = [];
    const handler: Handler = (request) => {
      held.push(() => echoing(request));
      if (held.length === 3) held.forEach((answer) => answer());
    };
    await withConnection(handler, async (connection) => {
      const answers = ['one', 'two', 'three'].map((text) => connection.request(echo(text)));

      expect(await Promise.all(answers)).toEqual(['one', 'two', 'three']);
    });
  });

  it('takes two answers in one chunk', async () => {
    const answers: Buffer[] = [];
    const handler: Handler = ({ socket, correlationId, body }) => {
      answers.push(frame(correlationId, body));
      if (answers.length === 2) socket.write(Buffer.concat(answers));
    };
    await withConnection(handler, async (connection) => {
      const [one, two] = [connection.request(echo('one')), connection.request(echo('two'))];

      expect([await one, await two]).toEqual(['one', 'two']);
    });
  });

  it('takes an answer byte by byte', async () => {
    const handler: Handler = ({ socket, correlationId, body }) => {
      void (async () => {
        for (const byte of frame(correlationId, body)) {
          socket.write(Buffer.from([byte]));
          await new Promise(setImmediate);
        }
      })();
    };
    await withConnection(handler, async (connection) => {
      expect(await connection.request(echo('slowly'))).toBe('slowly');
    });
  });

  it('takes a large answer in many chunks', async () => {
    const large: KafkaRequest<Buffer> = { ...echo(''), read: (reader) => reader.bytes() };
    const body = Buffer.alloc(4_000_004, 7);
    body.writeInt32BE(4_000_000, 0);
    await withConnection(
      ({ socket, correlationId }) => {
        socket.write(frame(correlationId, body));
      },
      async (connection) => {
        const bytes = await connection.request(large);

        expect(bytes.equals(body.subarray(4))).toBe(true);
        expect(bytes.buffer.byteLength).toBe(body.length);
      },
      { maxFrameBytes: 5_000_000 },
    );
  });

  it.each<[string, Handler, string, RegExp]>([
    ['never answers', () => undefined, 'BROKER_UNREACHABLE', /no answer to Echo v0 within 100 ms/],
    [
      'sends half a frame and then nothing',
      ({ socket, correlationId }) => {
        if (correlationId === 2) socket.write(frame(correlationId, Buffer.alloc(50)).subarray(0, 30));
      },
      'BROKER_UNREACHABLE',
      /within 100 ms/,
    ],
    [
      'closes inside an answer',
      ({ socket, correlationId }) => {
        socket.end(frame(correlationId, Buffer.alloc(50)).subarray(0, 30));
      },
      'BROKER_UNREACHABLE',
      /closed it inside an answer/,
    ],
    ['closes', ({ socket }) => void socket.end(), 'BROKER_UNREACHABLE', /closed it/],
    [
      'resets the connection',
      ({ socket }) => void socket.resetAndDestroy(),
      'BROKER_UNREACHABLE',
      /ECONNRESET/,
    ],
    [
      'answers another request',
      ({ socket, correlationId, body }) => {
        socket.write(frame(correlationId + 1, body));
      },
      'BROKER_ERROR',
      /an answer with id 3 came where 2 is due/,
    ],
    [
      'announces a huge answer',
      ({ socket }) => {
        socket.write(Buffer.from([0x7f, 0xff, 0xff, 0xff]));
      },
      'BROKER_ERROR',
      /2147483647 bytes was announced/,
    ],
    [
      'answers in HTTP',
      ({ socket }) => void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
      'BROKER_ERROR',
      /it is HTTP/,
    ],
    [
      'gives an answer that is too short',
      ({ socket, correlationId }) => {
        socket.write(frame(correlationId, Buffer.from([0, 9, 65])));
      },
      'BROKER_ERROR',
      /cut or malformed answer to Echo v0/,
    ],
    [
      'gives an answer that is too long',
      ({ socket, correlationId }) => {
        socket.write(frame(correlationId, Buffer.from([0, 1, 65, 66])));
      },
      'BROKER_ERROR',
      /1 bytes more than expected/,
    ],
  ])('rejects everything and closes when the broker %s', async (_name, handler, code, message) => {
    await withConnection(handler, async (connection, { endpoint }) => {
      const answers = await Promise.allSettled([
        connection.request(echo('one'), { timeoutMs: 100 }),
        connection.request(echo('two')),
      ]);
      for (const answer of answers) {
        expect(answer).toMatchObject({
          status: 'rejected',
          reason: { code, context: { broker: `127.0.0.1:${endpoint.port}` } },
        });
        expect(String((answer as PromiseRejectedResult).reason)).toMatch(message);
      }
      expect(connection.closed).toBe(true);
      await expect(connection.request(echo('three'))).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
    });
  });

  it('rejects with BROKER_ERROR when a decoder fails', async () => {
    const failing: KafkaRequest<string> = {
      ...echo('x'),
      read: () => {
        throw new TypeError('a fault in the decoder');
      },
    };
    await withConnection(echoing, async (connection) => {
      await expect(connection.request(failing)).rejects.toMatchObject({
        code: 'BROKER_ERROR',
        cause: { message: 'a fault in the decoder' },
      });
      expect(connection.closed).toBe(true);
    });
  });

  it('rejects a request that cannot be written, and stays open', async () => {
    await withConnection(echoing, async (connection) => {
      await expect(connection.request(echo('x'.repeat(40_000)))).rejects.toThrow('does not fit');
      expect(await connection.request(echo('next'))).toBe('next');
    });
  });

  it('closes when bytes come that nothing was asked for', async () => {
    await withConnection(echoing, async (connection, broker) => {
      broker.sockets[0]?.write('anything');
      while (!connection.closed) await new Promise(setImmediate);
      await expect(connection.request(echo('x'))).rejects.toMatchObject({
        code: 'BROKER_UNREACHABLE',
        cause: { code: 'BROKER_ERROR' },
      });
    });
  });

  it('closes when a request in flight is aborted, but not for one that was not sent', async () => {
    await withConnection(
      () => undefined,
      async (connection, broker) => {
        const abort = new AbortController();
        const other = connection.request(echo('other'));
        const aborted = connection.request(echo('x'), { signal: abort.signal });
        abort.abort(new Error('enough'));
        await expect(aborted).rejects.toMatchObject({
          code: 'BROKER_UNREACHABLE',
          cause: { message: 'enough' },
        });
        await expect(other).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
        expect(connection.closed).toBe(true);

        const second = await BrokerConnection.connect(broker.endpoint, defaults);
        await expect(second.request(echo('x'), { signal: abort.signal })).rejects.toMatchObject({
          code: 'BROKER_UNREACHABLE',
        });
        expect(second.closed).toBe(false);
        second.close();
      },
    );
  });

  it('rejects what is pending when it is closed, at once and once', async () => {
    await withConnection(
      () => undefined,
      async (connection) => {
        const pending = connection.request(echo('x'));
        connection.close();
        connection.close();

        expect(connection.closed).toBe(true);
        await expect(pending).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
        await expect(pending).rejects.toThrow('connection closed');
      },
    );
  });

  it('waits for a long answer as long as its bytes come, and no longer', async () => {
    const pieces = 12;
    const sent = 'x'.repeat(100 * pieces);
    const slowly =
      (count: number): Handler =>
      ({ socket, correlationId, body }) => {
        const answer = frame(correlationId, body);
        const sizeBytes = Math.ceil(answer.length / pieces);
        for (let piece = 0; piece < count; piece++) {
          const part = answer.subarray(piece * sizeBytes, (piece + 1) * sizeBytes);
          setTimeout(() => socket.destroyed || socket.write(part), 40 * (piece + 1));
        }
      };
    const options = { timeoutMs: 200 };
    await withConnection(
      slowly(pieces),
      async (connection) => {
        expect(await connection.request(echo(sent))).toBe(sent);
      },
      options,
    );
    await withConnection(
      slowly(pieces - 1),
      async (connection) => {
        await expect(connection.request(echo(sent))).rejects.toMatchObject({
          code: 'BROKER_UNREACHABLE',
          message: expect.stringContaining('no answer to Echo v0 within 200 ms') as string,
        });
      },
      options,
    );
  });

  it('takes an answer that lay there while the event loop was held up past the deadline', async () => {
    await withConnection(echoing, async (connection) => {
      const answer = connection.request(echo('late but there'), { timeoutMs: 60 });
      // Let the request go out, then hold everything up.
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      await new Promise((resolve) => setTimeout(resolve, 20));
      const end = Date.now() + 100;
      while (Date.now() < end);

      expect(await answer).toBe('late but there');
    });
  });

  it('does not keep an abort listener behind an answer', async () => {
    await withConnection(echoing, async (connection) => {
      const abort = new AbortController();
      await connection.request(echo('x'), { signal: abort.signal });
      abort.abort();

      expect(await connection.request(echo('y'))).toBe('y');
    });
  });
});
