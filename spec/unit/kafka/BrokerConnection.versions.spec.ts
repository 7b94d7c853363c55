import { BrokerConnection, type BrokerConnectionOptions } from '../../../lib/kafka/BrokerConnection';
import { BrokerVersionsMemory } from '../../../lib/kafka/BrokerVersionsMemory';
import { metadataRequest } from '../../../lib/kafka/metadata';
import {
  ancient,
  API_VERSIONS,
  apiVersionsBody,
  FakeBroker,
  frame,
  modern,
  type Handler,
} from './support/FakeBroker';
import { leavesNothing } from './support/leavesNothing';

const defaults: BrokerConnectionOptions = { clientId: 'spec', timeoutMs: 300, maxFrameBytes: 100_000 };

const answering =
  (body: Buffer): Handler =>
  ({ socket, correlationId }) => {
    socket.write(frame(correlationId, body));
  };

/** Asks a broker that knows `apis` for the versions to use. */
async function versionsWith(body: Buffer): Promise<BrokerConnection['versions']> {
  await using broker = await FakeBroker.start(answering(body));
  const connection = await BrokerConnection.connect(broker.endpoint, defaults);
  connection.close();
  return connection.versions;
}

const askedTimes = (broker: FakeBroker): number =>
  broker.requests.filter((request) => request.apiKey === API_VERSIONS).length;

describe('BrokerConnection.connect', () => {
  it.each<[string, (readonly [number, number, number])[], BrokerConnection['versions']]>([
    [
      '0.10.0',
      [
        [1, 0, 2],
        [2, 0, 0],
        [3, 0, 1],
        [8, 0, 2],
        [9, 0, 1],
      ],
      { fetch: 2, listOffsets: 0, metadata: 1, offsetCommit: 2, offsetFetch: 1 },
    ],
    [
      '0.10.1',
      [
        [1, 0, 3],
        [2, 0, 1],
        [3, 0, 2],
        [8, 0, 2],
        [9, 0, 1],
      ],
      { fetch: 3, listOffsets: 1, metadata: 1, offsetCommit: 2, offsetFetch: 1 },
    ],
    [
      '3.9',
      [
        [1, 0, 17],
        [2, 0, 9],
        [3, 0, 12],
        [8, 0, 9],
        [9, 0, 9],
      ],
      { fetch: 10, listOffsets: 2, metadata: 4, offsetCommit: 2, offsetFetch: 2 },
    ],
    [
      '2.1, the first one with zstd',
      [
        [1, 0, 10],
        [2, 0, 4],
        [3, 0, 7],
        [8, 0, 6],
        [9, 0, 5],
      ],
      { fetch: 10, listOffsets: 2, metadata: 4, offsetCommit: 2, offsetFetch: 2 },
    ],
    [
      '2.0',
      [
        [1, 0, 8],
        [2, 0, 3],
        [3, 0, 6],
        [8, 0, 4],
        [9, 0, 4],
      ],
      { fetch: 4, listOffsets: 2, metadata: 4, offsetCommit: 2, offsetFetch: 2 },
    ],
    [
      '0.11',
      [
        [1, 0, 5],
        [2, 0, 2],
        [3, 0, 4],
        [8, 0, 3],
        [9, 0, 3],
      ],
      { fetch: 4, listOffsets: 2, metadata: 4, offsetCommit: 2, offsetFetch: 2 },
    ],
    [
      'one with gaps below',
      [
        [1, 2, 2],
        [2, 1, 4],
        [3, 1, 3],
        [8, 3, 9],
      ],
      { fetch: 2, listOffsets: 2, metadata: 1, offsetCommit: null, offsetFetch: null },
    ],
  ])('takes the highest versions in common with %s', async (_name, apis, expected) => {
    await leavesNothing(async () => {
      expect(await versionsWith(apiVersionsBody(apis))).toEqual(expected);
    });
  });

  it.each<[string, Buffer, RegExp]>([
    [
      'has newer ones only',
      apiVersionsBody([
        [1, 11, 17],
        [2, 1, 9],
        [3, 0, 12],
      ]),
      /Fetch.*11 to 17.*10, 4, 3, 2, 1, 0/,
    ],
    [
      'does not know one of them',
      apiVersionsBody([
        [1, 0, 3],
        [2, 0, 1],
      ]),
      /Metadata.*it has none/,
    ],
    ['answers with an error', apiVersionsBody([], 35), /UNSUPPORTED_VERSION/],
    [
      'announces more than it sends',
      Buffer.from([0, 0, 0x7f, 0xff, 0xff, 0xff]),
      /array of 2147483647 entries/,
    ],
  ])('says so with BROKER_ERROR if the broker %s', async (_name, body, message) => {
    await leavesNothing(async () => {
      await expect(versionsWith(body)).rejects.toMatchObject({ code: 'BROKER_ERROR' });
      await expect(versionsWith(body)).rejects.toThrow(message);
    });
  });

  it.each([
    ['closes the connection', ancient()],
    ['says nothing', () => undefined],
  ] satisfies [string, Handler][])(
    'connects again without asking if the broker %s',
    async (_name, handler) => {
      await leavesNothing(async () => {
        await using broker = await FakeBroker.start(handler);
        const expected = { listOffsets: 0, metadata: 0, offsetFetch: 1 };
        for (const [registrationVersion, fetch, offsetCommit] of [
          [undefined, 0, 1],
          [1, 0, 1],
          [2, 1, 2],
        ] as const) {
          const endpoint =
            registrationVersion === undefined ? broker.endpoint : { ...broker.endpoint, registrationVersion };
          const connection = await BrokerConnection.connect(endpoint, defaults);
          connection.close();

          expect(connection.versions).toEqual({ fetch, offsetCommit, ...expected });
        }
        expect(broker.sockets).toHaveLength(6);
        expect(askedTimes(broker)).toBe(3);
      });
    },
  );

  it('does not take silence for old age if the registration says 0.10 or later', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(() => undefined);
      const endpoint = { ...broker.endpoint, registrationVersion: 4 };
      await expect(BrokerConnection.connect(endpoint, defaults)).rejects.toMatchObject({
        code: 'BROKER_UNREACHABLE',
      });
      expect(broker.sockets).toHaveLength(1);
    });
  });

  it('refuses a server of another kind', async () => {
    await leavesNothing(async () => {
      await using server = await FakeBroker.start(
        ({ socket }) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'),
      );
      await expect(BrokerConnection.connect(server.endpoint, defaults)).rejects.toMatchObject({
        code: 'BROKER_ERROR',
      });
      expect(server.sockets).toHaveLength(1);
    });
  });

  it('rejects when the broker is gone at the second try', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(({ socket }) => {
        socket.destroy();
        void broker.stop();
      });
      await expect(BrokerConnection.connect(broker.endpoint, defaults)).rejects.toMatchObject({
        code: 'BROKER_UNREACHABLE',
      });
    });
  });

  it('rejects when it is aborted while the broker is silent, and does not try again', async () => {
    await leavesNothing(async () => {
      const abort = new AbortController();
      await using broker = await FakeBroker.start(() => abort.abort());
      await expect(
        BrokerConnection.connect(broker.endpoint, { ...defaults, signal: abort.signal }),
      ).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
      expect(broker.sockets).toHaveLength(1);
    });
  });

  it('asks a broker that does not answer once, until a connection to it fails', async () => {
    await leavesNothing(async () => {
      const memory = new BrokerVersionsMemory();
      const options = { ...defaults, memory };
      await using broker = await FakeBroker.start(ancient(({ socket }) => socket.destroy()));
      const first = await BrokerConnection.connect(broker.endpoint, options);
      const second = await BrokerConnection.connect(broker.endpoint, options);

      expect(askedTimes(broker)).toBe(1);
      first.close();

      expect(memory.isMute(broker.endpoint)).toBe(true);
      await expect(second.request(metadataRequest(0, ['t']))).rejects.toMatchObject({
        code: 'BROKER_UNREACHABLE',
      });
      expect(memory.isMute(broker.endpoint)).toBe(false);

      broker.handler = modern();
      const third = await BrokerConnection.connect(broker.endpoint, options);
      third.close();

      expect(third.versions.fetch).toBe(10);
    });
  });

  it('forgets a broker when it cannot be connected to', async () => {
    await leavesNothing(async () => {
      const memory = new BrokerVersionsMemory();
      const broker = await FakeBroker.start(() => undefined);
      const { endpoint } = broker;
      await broker.stop();
      memory.rememberMute(endpoint);
      await expect(BrokerConnection.connect(endpoint, { ...defaults, memory })).rejects.toMatchObject({
        code: 'BROKER_UNREACHABLE',
      });
      expect(memory.isMute(endpoint)).toBe(false);
    });
  });
});
