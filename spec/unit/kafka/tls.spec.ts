import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { createSecureContext, type SecureVersion, type TLSSocket, type TlsOptions } from 'node:tls';

import type { ConnectorError } from '../../../lib/errors';
import { BrokerConnection, type BrokerConnectionOptions } from '../../../lib/kafka/BrokerConnection';
import { PLAINTEXT, type BrokerSecurity } from '../../../lib/kafka/brokerSecurity';
import { waitFor } from '../../support/waitFor';
import { answerBlob, blob, blobRequest } from './support/blob';
import { API_VERSIONS, FakeBroker, modern, type Handler } from './support/FakeBroker';
import { failureOf } from './support/failureOf';
import { leavesNothing } from './support/leavesNothing';
import { RawServer } from './support/RawServer';
import { CREDENTIALS, MECHANISMS, saslListener } from './support/saslListener';
import {
  CA,
  CLIENT,
  CLIENT_CA,
  EXPIRED_SERVER,
  LOCALHOST_SERVER,
  SERVER,
  STRANGER,
  tlsSecurity,
  tlsSettings,
} from './support/tlsFixtures';

const VERSIONS: readonly SecureVersion[] = ['TLSv1.2', 'TLSv1.3'];
const LARGE_BYTES = 3_000_001;

interface Way {
  readonly security: BrokerSecurity;
  /** What the server is called by; by default its address. */
  readonly host?: string;
  /** Proves by default that the broker is not old. */
  readonly registrationVersion?: number | undefined;
  readonly options?: Partial<BrokerConnectionOptions>;
}

function connect(port: number, { security, host = '127.0.0.1', ...way }: Way): Promise<BrokerConnection> {
  const { registrationVersion } = { registrationVersion: 5, ...way };
  return BrokerConnection.connect(
    { host, port, ...(registrationVersion !== undefined && { registrationVersion }) },
    { clientId: 'spec', timeoutMs: 2000, maxFrameBytes: 2 * LARGE_BYTES, security, ...way.options },
  );
}

/** Says nothing to ApiVersions, as Kafka 0.9 does, and leaves the rest to `handler`. */
function mute(handler: Handler): Handler {
  return (request) => {
    if (request.apiKey !== API_VERSIONS) handler(request);
  };
}

/** Gives the broker's side of a connection that works; nothing is left behind. */
async function opened(server: TlsOptions, way: Way): Promise<TLSSocket> {
  let theirs: TLSSocket | undefined;
  await leavesNothing(async () => {
    await using broker = await FakeBroker.start(modern(answerBlob), server);
    const connection = await connect(broker.endpoint.port, way);
    try {
      expect(await connection.request(blobRequest(5))).toEqual(blob(5));
      theirs = broker.sockets[0] as TLSSocket;
    } finally {
      connection.close();
    }
  });
  if (theirs === undefined) throw new Error('The broker has seen no connection');
  return theirs;
}

/** Why a connection to a TLS server fails; nothing is left behind. */
async function refusal(server: TlsOptions, way: Way, handler: Handler = answerBlob): Promise<ConnectorError> {
  let failure: ConnectorError | undefined;
  await leavesNothing(async () => {
    await using broker = await FakeBroker.start(modern(handler), server);
    failure = await failureOf(connect(broker.endpoint.port, way));
  });
  return given(failure);
}

/** Why a connection fails to a server that does `act` with each; nothing is left behind. */
async function rawRefusal(act: (socket: Socket) => void, way: Way): Promise<ConnectorError> {
  let failure: ConnectorError | undefined;
  await leavesNothing(async () => {
    await using server = await RawServer.start(act);
    failure = await failureOf(connect(server.endpoint.port, way));
  });
  return given(failure);
}

function given(failure: ConnectorError | undefined): ConnectorError {
  if (failure === undefined) throw new Error('Nobody was asked');
  // OpenSSL's own messages name threads and files, and end with a line.
  expect(failure.message).not.toMatch(/[\n\r]|openssl|:error:|: :/);
  return failure;
}

const only = (version: SecureVersion): { minVersion: SecureVersion; maxVersion: SecureVersion } => ({
  minVersion: version,
  maxVersion: version,
});

describe.each(VERSIONS)('A connection by %s', (version) => {
  it('carries requests, and large answers unchanged', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(modern(answerBlob), SERVER);
      const connection = await connect(broker.endpoint.port, { security: tlsSecurity(only(version)) });
      try {
        const answers = [LARGE_BYTES, 0, 1, LARGE_BYTES].map((sizeBytes) => ({
          sizeBytes,
          answer: connection.request(blobRequest(sizeBytes)),
        }));
        for (const { sizeBytes, answer } of answers)
          expect((await answer).equals(blob(sizeBytes))).toBe(true);
        expect((broker.sockets[0] as TLSSocket).getProtocol()).toBe(version);
        expect(connection.versions.fetch).toBe(10);
      } finally {
        connection.close();
      }
    });
  });

  const server = { ...SERVER, requestCert: true, rejectUnauthorized: true, ca: CLIENT_CA };

  it('proves the client by its certificate', async () => {
    const security = tlsSecurity({ ...only(version), ...CLIENT });
    expect((await opened(server, { security })).authorized).toBe(true);
  });

  it('without the certificate that the broker wants is refused, with the setting to look at', async () => {
    for (const registrationVersion of [5, undefined]) {
      const way = { security: tlsSecurity(only(version)), registrationVersion };
      const failure = await refusal(server, way);
      expect(failure).toMatchObject({ code: 'BROKER_ERROR', retriable: false });
      expect(failure.message).toMatch(/certificate.*ssl\.keystore\.location/);
    }
  });
});

describe('A connection by TLS', () => {
  it('whose certificate the broker does not take, and says nothing, hints at the setting', async () => {
    const server = { ...SERVER, requestCert: true, rejectUnauthorized: true, ca: CLIENT_CA };
    const security = tlsSecurity({ ...only('TLSv1.3'), ...STRANGER });
    // Only 0.8 hangs up when it is asked for its versions, and it has no TLS: age is no explanation.
    for (const registrationVersion of [5, undefined]) {
      const failure = await refusal(server, { security, registrationVersion });
      expect(failure.code).toBe('BROKER_UNREACHABLE');
      expect(failure.message).toMatch(/refuses the certificate of this client.*ssl\.keystore\.location/);
    }
  });

  it('to a host name sends that name, for the broker to choose its certificate by', async () => {
    const theirs = await opened(SERVER, { security: tlsSecurity(), host: 'localhost' });
    expect((theirs as TLSSocket & { servername: unknown }).servername).toBe('localhost');
  });

  it('to an address is checked against the address, and sends no name', async () => {
    const theirs = await opened(SERVER, { security: tlsSecurity() });
    expect((theirs as TLSSocket & { servername: unknown }).servername).toBe(false);
  });

  it('takes a certificate with another between it and the one that is trusted', async () => {
    const security = tlsSecurity({ ca: CLIENT_CA });
    expect((await opened(LOCALHOST_SERVER, { security, host: 'localhost' })).encrypted).toBe(true);
  });

  it('takes a certificate for another host if it is told to, and even then none that is not trusted', async () => {
    const anyHost = { checkHostName: false };
    await opened(LOCALHOST_SERVER, { security: tlsSecurity({ ca: CLIENT_CA }, anyHost) });
    const failure = await refusal(LOCALHOST_SERVER, { security: tlsSecurity({ ca: CA }, anyHost) });
    expect(failure.message).toMatch(/not trusted/);
  });

  it.each<[string, TlsOptions, BrokerSecurity, RegExp]>([
    [
      'by somebody who is not trusted',
      SERVER,
      tlsSecurity({ ca: CLIENT_CA }),
      /not trusted; look at ssl\.truststore\.location/,
    ],
    [
      'by somebody whom Node does not know',
      SERVER,
      { protocol: 'SSL', tls: { context: createSecureContext(), checkHostName: true } },
      /not trusted; look at ssl\.truststore\.location/,
    ],
    ['that has expired', EXPIRED_SERVER, tlsSecurity(), /has expired.*out of date/],
    [
      'for another host',
      LOCALHOST_SERVER,
      tlsSecurity({ ca: CLIENT_CA }),
      /another host.*ssl\.endpoint\.identification\.algorithm/,
    ],
  ])('does not take a certificate %s', async (_what, server, security, message) => {
    for (const registrationVersion of [5, undefined]) {
      const failure = await refusal(server, { security, registrationVersion });
      expect(failure).toMatchObject({
        ...{ code: 'BROKER_ERROR', retriable: false },
        context: { broker: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string },
        cause: { code: expect.any(String) as string },
      });
      expect(failure.message).toMatch(message);
    }
  });

  it.each<[string, TlsOptions, BrokerSecurity, RegExp]>([
    [
      'version',
      { ...SERVER, minVersion: 'TLSv1.3' },
      tlsSecurity(only('TLSv1.2')),
      /ssl\.enabled\.protocols/,
    ],
    [
      'cipher',
      { ...SERVER, ...only('TLSv1.2'), ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' },
      tlsSecurity({ ...only('TLSv1.2'), ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }),
      /ssl\.cipher\.suites/,
    ],
  ])(
    'without a common %s is refused, with the setting to look at',
    async (_what, server, security, message) => {
      const failure = await refusal(server, { security });
      expect(failure.code).toBe('BROKER_ERROR');
      expect(failure.message).toMatch(message);
    },
  );

  const security = tlsSecurity();
  const http = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

  it.each<[string, (socket: Socket) => void]>([
    ['in HTTP', (socket) => void socket.once('data', () => socket.end(http))],
    ['in HTTP before it is asked', (socket) => void socket.end(http)],
    ['as a plain listener', (socket) => void socket.once('data', () => socket.write(Buffer.alloc(64, 1)))],
  ])('to a server that answers %s names security.protocol', async (_how, act) => {
    const failure = await rawRefusal(act, { security });
    expect(failure.code).toBe('BROKER_ERROR');
    expect(failure.message).toMatch(/not TLS; look at security\.protocol/);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['hangs up at once', (socket) => void socket.end()],
    ['hangs up at the first bytes', (socket) => void socket.once('data', () => socket.end())],
    ['resets', (socket) => void socket.once('data', () => socket.resetAndDestroy())],
  ])('to a server that %s names security.protocol, since it may have no TLS', async (_how, act) => {
    const failure = await rawRefusal(act, { security });
    expect(failure).toMatchObject({ code: 'BROKER_UNREACHABLE', retriable: true });
    expect(failure.message).toMatch(/the listener has no TLS: look at security\.protocol/);
  });

  it('to a server that is mute ends at the deadline', async () => {
    const failure = await rawRefusal(() => undefined, { security, options: { timeoutMs: 100 } });
    expect(failure).toMatchObject({ code: 'BROKER_UNREACHABLE', retriable: true });
    expect(failure.message).toMatch(/not open within 100 ms.*look at security\.protocol/);
  });

  it('ends when it is aborted in the middle of the handshake', async () => {
    const abort = new AbortController();
    await leavesNothing(async () => {
      await using server = await RawServer.start((socket) => {
        socket.once('data', () => abort.abort(new Error('enough')));
      });
      const options = { timeoutMs: 60_000, signal: abort.signal };
      const failure = await failureOf(connect(server.endpoint.port, { security, options }));
      expect(failure).toMatchObject({ code: 'BROKER_UNREACHABLE', cause: { message: 'enough' } });
      await waitFor(() => server.sockets[0]?.destroyed, { timeoutMs: 1000, description: 'its end' });
    });
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  it('to a broker that does not say its versions is opened once more, for 0.9 has TLS', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(mute(answerBlob), SERVER);
      const options = { timeoutMs: 200 };
      const connection = await connect(broker.endpoint.port, { security, options, registrationVersion: 2 });
      try {
        expect(await connection.request(blobRequest(5))).toEqual(blob(5));
        expect(connection.versions.fetch).toBe(1);
        expect(broker.sockets).toHaveLength(2);
      } finally {
        connection.close();
      }
    });
  });

  it('is closed when the broker ends it, and not opened again', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(modern(answerBlob), SERVER);
      const connection = await connect(broker.endpoint.port, { security });
      broker.sockets[0]?.end();
      await waitFor(() => connection.closed, { timeoutMs: 1000, description: 'the end of the connection' });
      await expect(connection.request(blobRequest(1))).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
      expect(broker.sockets).toHaveLength(1);
    });
  });
});

describe('A login by TLS', () => {
  it.each([
    [0, 'PLAIN'],
    [1, 'PLAIN'],
    [0, 'SCRAM-SHA-512'],
    [1, 'SCRAM-SHA-512'],
  ] as const)('with SaslHandshake v%i and %s opens the connection', async (version, mechanism) => {
    const { start, tokens } = MECHANISMS[mechanism];
    const mechanisms = { [mechanism]: start };
    const security: BrokerSecurity = {
      ...{ protocol: 'SASL_SSL', tls: tlsSettings() },
      sasl: { mechanism, ...CREDENTIALS },
    };
    await leavesNothing(async () => {
      const handler = saslListener({ version, tokens, mechanisms, handler: answerBlob });
      await using broker = await FakeBroker.start(handler, SERVER);
      const connection = await connect(broker.endpoint.port, { security });
      try {
        expect((await connection.request(blobRequest(LARGE_BYTES))).equals(blob(LARGE_BYTES))).toBe(true);
      } finally {
        connection.close();
      }
    });
  });

  it('that was left out names security.protocol', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(
        modern(({ socket }) => void socket.end()),
        SERVER,
      );
      const connection = await connect(broker.endpoint.port, { security: tlsSecurity() });
      const failure = await failureOf(connection.request(blobRequest(1)));
      expect(failure.message).toMatch(/the listener wants a login: look at security\.protocol/);
    });
  });
});

describe('A plain connection to a TLS listener', () => {
  const plain = { security: PLAINTEXT };
  const sasl: Way = {
    security: { protocol: 'SASL_PLAINTEXT', sasl: { mechanism: 'PLAIN', ...CREDENTIALS } },
    registrationVersion: undefined,
  };

  it.each([
    ['without a login', plain],
    ['with one', sasl],
  ])('%s names security.protocol', async (_how, way) => {
    const failure = await refusal(SERVER, way);
    expect(failure.code).toBe('BROKER_UNREACHABLE');
    expect(failure.message).toMatch(/the listener wants TLS: look at security\.protocol/);
  });

  it('names it at its first request if nothing says that the broker is not old', async () => {
    await leavesNothing(async () => {
      await using server = await RawServer.start((socket) => {
        socket.once('data', () => socket.resetAndDestroy());
      });
      const connection = await connect(server.endpoint.port, { ...plain, registrationVersion: undefined });
      const failure = await failureOf(connection.request(blobRequest(1)));
      expect(failure.message).toMatch(/the listener wants TLS: look at security\.protocol/);
    });
  });

  it('names it when the listener answers with an alert', async () => {
    const alert = Buffer.from('15030300020246', 'hex');
    const failure = await rawRefusal((socket) => void socket.once('data', () => socket.end(alert)), plain);
    expect(failure.code).toBe('BROKER_ERROR');
    expect(failure.message).toMatch(/it is TLS: set security\.protocol to SSL or SASL_SSL/);
  });
});
