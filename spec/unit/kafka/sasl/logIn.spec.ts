import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';

import type { ConnectorError } from '../../../../lib/errors';
import {
  BrokerConnection,
  type BrokerConnectionOptions,
  type BrokerEndpoint,
} from '../../../../lib/kafka/BrokerConnection';
import type { SaslMechanism, SaslSettings } from '../../../../lib/kafka/brokerSecurity';
import { BrokerVersionsMemory } from '../../../../lib/kafka/BrokerVersionsMemory';
import { PlainExchange } from '../../../../lib/kafka/sasl/PlainExchange';
import { answerBlob, blob, blobRequest } from '../support/blob';
import { array, bytes, int16, int32, string } from '../support/bytes';
import {
  ancient,
  API_VERSIONS,
  apiVersionsBody,
  FakeBroker,
  frame,
  METADATA,
  modern,
  MODERN,
  type Handler,
} from '../support/FakeBroker';
import { failureOf } from '../support/failureOf';
import { leavesNothing } from '../support/leavesNothing';
import {
  CREDENTIALS,
  MECHANISMS,
  SASL_AUTHENTICATE,
  SASL_HANDSHAKE,
  saslListener,
  scramServer,
  type SaslListenerOptions,
} from '../support/saslListener';

const NAMES = Object.keys(MECHANISMS) as readonly SaslMechanism[];
const VERSIONS = [0, 1] as const;
const WAYS = VERSIONS.flatMap((version) => NAMES.map((mechanism) => ({ version, mechanism })));
const WRONG_PASSWORD = 'a-wrong-password';

/** Longer than what is taken before the login is over. */
const LARGE_BYTES = 1_000_000;

function optionsFor(
  sasl: Partial<SaslSettings> = {},
  options: Partial<BrokerConnectionOptions> = {},
): BrokerConnectionOptions {
  return {
    ...{ clientId: 'spec', timeoutMs: 1000, maxFrameBytes: 2 * LARGE_BYTES },
    security: { protocol: 'SASL_PLAINTEXT', sasl: { mechanism: 'PLAIN', ...CREDENTIALS, ...sasl } },
    ...options,
  };
}

function listener(
  { version, mechanism }: { readonly version: 0 | 1; readonly mechanism: SaslMechanism },
  options: Partial<SaslListenerOptions> = {},
): Handler {
  const { start, tokens } = MECHANISMS[mechanism];
  return saslListener({
    version,
    tokens,
    mechanisms: { [mechanism]: start },
    handler: answerBlob,
    ...options,
  });
}

/** Why the broker is not connected to; nothing is left behind, and no secret told. */
async function refusal(
  handler: Handler,
  options: BrokerConnectionOptions,
  known: Partial<BrokerEndpoint> = {},
): Promise<ConnectorError> {
  let failure: ConnectorError | undefined;
  await leavesNothing(async () => {
    await using broker = await FakeBroker.start(handler);
    failure = await failureOf(BrokerConnection.connect({ ...broker.endpoint, ...known }, options));
    expect(failure.context.broker).toBe(`127.0.0.1:${broker.endpoint.port}`);
    // Never taken for an old broker, to which there would be a second connection.
    expect(broker.sockets).toHaveLength(1);
  });
  if (failure === undefined) throw new Error('The broker was not asked');
  expectNoSecret(failure, options.security?.sasl?.password);
  return failure;
}

function expectNoSecret(failure: ConnectorError, password = ''): void {
  const everything = inspect(failure, { depth: 20, showHidden: true, maxStringLength: null });
  const token = Buffer.from(password);
  expect(everything).not.toContain(password);
  expect(everything).not.toContain(token.toString('base64').slice(0, -4));
  // Buffers are shown byte by byte.
  expect(everything.replaceAll(' ', '')).not.toContain(token.toString('hex'));
}

const answering =
  (answers: Readonly<Record<number, Buffer>>): Handler =>
  ({ socket, apiKey, correlationId }) => {
    const body = answers[apiKey];
    if (body) socket.write(frame(correlationId, body));
  };

const WITH_LOGIN = apiVersionsBody([...MODERN, [SASL_HANDSHAKE, 0, 1], [SASL_AUTHENTICATE, 0, 2]]);
const HANDSHAKE_DONE = Buffer.concat([int16(0), array([[string('PLAIN')]])]);

describe('PlainExchange', () => {
  it('says name and password in one token, behind no other name, and nothing more', async () => {
    const exchange = new PlainExchange('älice', 'pässword');
    expect(await exchange.next(null)).toEqual(Buffer.from('\0älice\0pässword', 'utf8'));
    expect(await exchange.next(Buffer.alloc(0))).toBeNull();
  });
});

describe.each(WAYS)('A login by $mechanism with SaslHandshake v$version', (way) => {
  const { version, mechanism } = way;

  it('opens a connection that takes large answers', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(listener(way));
      const signal = new AbortController().signal;
      const options = optionsFor({ mechanism }, { signal });
      const connection = await BrokerConnection.connect(broker.endpoint, options);
      try {
        expect(connection.versions).toMatchObject({ fetch: 10, listOffsets: 2, metadata: 4 });
        expect((await connection.request(blobRequest(LARGE_BYTES))).equals(blob(LARGE_BYTES))).toBe(true);
        expect(getEventListeners(signal, 'abort')).toEqual([]);
      } finally {
        connection.close();
      }
      expect(broker.sockets).toHaveLength(1);
      const tokens = version === 1 ? Array<number>(MECHANISMS[mechanism].tokens).fill(SASL_AUTHENTICATE) : [];
      expect(broker.requests.map(({ apiKey }) => apiKey)).toEqual([
        ...[API_VERSIONS, SASL_HANDSHAKE],
        ...[...tokens, 1],
      ]);
    });
  });

  it.each([
    ['another password', { password: WRONG_PASSWORD }],
    ['another user', { username: 'mallory "m"', password: WRONG_PASSWORD }],
  ])('with %s is refused, with the settings to look at', async (_what, wrong) => {
    const failure = await refusal(listener(way), optionsFor({ mechanism, ...wrong }));
    expect(failure).toMatchObject({ code: 'BROKER_ERROR', retriable: false });
    const { username } = { ...CREDENTIALS, ...wrong };
    expect(failure.message).toContain(`refuses the login of ${JSON.stringify(username)} by ${mechanism}`);
    expect(failure.message).toMatch(/look at the user name and password in sasl\.jaas\.config/);
    const why = [/it closed the connection/, /SASL_AUTHENTICATION_FAILED: Authentication failed/][version];
    expect(failure.message).toMatch(why ?? '');
    expect(failure.context.brokerCode).toBe([undefined, 58][version]);
  });

  it('by a mechanism that the broker does not have names those that it has', async () => {
    const [one, other] = NAMES.filter((name) => name !== mechanism);
    const mechanisms = { [one ?? '']: MECHANISMS.PLAIN.start, [other ?? '']: MECHANISMS.PLAIN.start };
    const failure = await refusal(listener(way, { mechanisms }), optionsFor({ mechanism }));
    expect(failure).toMatchObject({ code: 'BROKER_ERROR', context: { brokerCode: 33 } });
    expect(failure.message).toContain(
      `the login by ${mechanism} (UNSUPPORTED_SASL_MECHANISM): it takes ${one}, ${other}; look at sasl.mechanism`,
    );
  });

  const token = version === 0 ? 'a login token' : 'SaslAuthenticate v0';
  const phases = [
    { count: 1, asked: 'ApiVersions v0' },
    { count: 2, asked: `SaslHandshake v${version}` },
    ...Array.from({ length: MECHANISMS[mechanism].tokens }, (_, at) => ({ count: at + 3, asked: token })),
  ];

  /** Does `act` where the answer to what comes as the `count`th is due. */
  const at = (count: number, act: (socket: Socket) => void): Handler =>
    listener(way, { instead: (came) => (came === count ? act : undefined) });

  it.each(phases)('fails when the answer to $asked (number $count) does not come', async (phase) => {
    const { signal } = new AbortController();
    const options = optionsFor({ mechanism }, { timeoutMs: 80, signal });
    const failure = await refusal(
      at(phase.count, () => undefined),
      options,
    );
    expect(failure).toMatchObject({ code: 'BROKER_UNREACHABLE', retriable: true });
    expect(failure.message).toContain(`no answer to ${phase.asked} within 80 ms`);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it.each(phases)('ends when it is aborted while $asked (number $count) is asked', async (phase) => {
    const abort = new AbortController();
    const options = optionsFor({ mechanism }, { signal: abort.signal });
    const failure = await refusal(
      at(phase.count, () => abort.abort(new Error('enough'))),
      options,
    );
    expect(failure).toMatchObject({ code: 'BROKER_UNREACHABLE', cause: { message: 'enough' } });
    expect(failure.message).toContain(`${phase.asked} was aborted`);
    expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
  });

  it.each(phases)('fails when the broker hangs up at $asked (number $count)', async ({ count }) => {
    for (const hangUp of [(socket: Socket) => void socket.end(), (socket: Socket) => void socket.destroy()]) {
      const failure = await refusal(at(count, hangUp), optionsFor({ mechanism }));
      // A bare token is refused in no other way.
      expect(failure.code).toBe(count > 2 && version === 0 ? 'BROKER_ERROR' : 'BROKER_UNREACHABLE');
      expect(failure.message.includes('sasl.jaas.config')).toBe(failure.code === 'BROKER_ERROR');
    }
  });

  it.each(phases)('refuses an answer to $asked (number $count) that is too large', async ({ count }) => {
    const huge = int32(256 * 1024);
    const failure = await refusal(
      at(count, (socket) => socket.write(huge)),
      optionsFor({ mechanism }),
    );
    expect(failure.code).toBe('BROKER_ERROR');
    expect(failure.message).toMatch(/an answer of 262144 bytes was announced, at most \d{2,6} are taken/);
  });

  it.each(phases)('refuses garbage for an answer to $asked (number $count)', async ({ count }) => {
    const failure = await refusal(
      at(count, (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
      optionsFor({ mechanism }),
    );
    expect(failure.code).toBe('BROKER_ERROR');
    expect(failure.message).toContain('it is HTTP');
  });
});

describe('A login by SCRAM', () => {
  const MANY = 400_000;
  const mechanism = 'SCRAM-SHA-256';
  const slow = { [mechanism]: () => scramServer('sha256', MANY) };

  it.each(VERSIONS)('with SaslHandshake v%i takes no broker that has another password', async (version) => {
    const liar = (): ((token: Buffer) => Buffer | null) => {
      const server = scramServer('sha256');
      return (token) => (token.includes('p=') ? Buffer.from('v=bm90IHRoZSBzaWduYXR1cmU=') : server(token));
    };
    const handler = listener({ version, mechanism }, { mechanisms: { [mechanism]: liar } });
    const failure = await refusal(handler, optionsFor({ mechanism }));
    expect(failure.code).toBe('BROKER_ERROR');
    expect(failure.message).toMatch(/could not prove that it knows the password.*sasl\.jaas\.config/);
  });

  it.each(VERSIONS)('with SaslHandshake v%i says what the broker says is wrong', async (version) => {
    const refusing = () => () => Buffer.from('e=unknown-user');
    const handler = listener({ version, mechanism }, { mechanisms: { [mechanism]: refusing } });
    const failure = await refusal(handler, optionsFor({ mechanism }));
    expect(failure.code).toBe('BROKER_ERROR');
    expect(failure.message).toMatch(/it answered "unknown-user".*sasl\.jaas\.config/);
  });

  it.each(VERSIONS)(
    'with SaslHandshake v%i ends when it is aborted while the key is made',
    async (version) => {
      const abort = new AbortController();
      let proofs = 0;
      const handler = listener(
        { version, mechanism },
        {
          mechanisms: slow,
          instead: (count) => {
            if (count === 3) setTimeout(() => abort.abort(), 20);
            if (count === 4) proofs += 1;
            return undefined;
          },
        },
      );
      const failure = await refusal(handler, optionsFor({ mechanism }, { signal: abort.signal }));
      expect(failure.code).toBe('BROKER_UNREACHABLE');
      // The end of the work is not waited for: then it would be the next token that was aborted.
      expect(failure.message).toContain('the login was aborted');
      expect(getEventListeners(abort.signal, 'abort')).toEqual([]);
      expect(proofs).toBe(0);
    },
  );

  it.each([
    [0, 'BROKER_ERROR'],
    [1, 'BROKER_UNREACHABLE'],
  ] as const)('with SaslHandshake v%i fails when the broker closes meanwhile', async (version, code) => {
    const mechanisms = { [mechanism]: slow[mechanism] };
    const hangUp = (socket: Socket) => void setTimeout(() => socket.end(), 20);
    const inner = listener({ version, mechanism }, { mechanisms });
    const handler: Handler = (request) => {
      // Behind the answer to the first token.
      if (request.apiKey === (version === 0 ? SASL_HANDSHAKE : SASL_AUTHENTICATE)) hangUp(request.socket);
      inner(request);
    };
    const failure = await refusal(handler, optionsFor({ mechanism }));
    expect(failure.code).toBe(code);
  });
});

describe('What a broker says when it refuses', () => {
  const way = { version: 1, mechanism: 'PLAIN' } as const;
  const wrong = optionsFor({ password: WRONG_PASSWORD });

  it('may be nothing', async () => {
    const failure = await refusal(listener(way, { refusal: null }), wrong);
    expect(failure.message).toContain('SASL_AUTHENTICATION_FAILED: no reason given;');
  });

  it('is shown on one line, and not at any length', async () => {
    const text = `one\n\u001b[31mtwo\u202e${'x'.repeat(20_000)}`;
    const failure = await refusal(listener(way, { refusal: text }), wrong);
    expect(failure.message).toMatch(/SASL_AUTHENTICATION_FAILED: one \[31mtwo x{200,300};/);
    expect(failure.message.length).toBeLessThan(600);
  });

  it('about its mechanisms is shown so, too', async () => {
    const mechanisms = array(Array.from({ length: 5000 }, () => [string('GSSAPI\n')]));
    const failure = await refusal(
      answering({
        [API_VERSIONS]: WITH_LOGIN,
        [SASL_HANDSHAKE]: Buffer.concat([int16(33), mechanisms]),
      }),
      wrong,
    );
    expect(failure.message).toMatch(/it takes GSSAPI , GSSAPI .*; look at sasl\.mechanism$/);
    expect(failure.message.length).toBeLessThan(600);
  });

  it('may be that it has no mechanism at all', async () => {
    const failure = await refusal(listener(way, { mechanisms: {} }), wrong);
    expect(failure.message).toContain('it takes none; look at sasl.mechanism');
  });

  it.each([
    [34, /ILLEGAL_SASL_STATE\): this listener has no login; look at security\.protocol/],
    [35, /UNSUPPORTED_VERSION\)$/],
    [-1, /UNKNOWN_SERVER_ERROR\)$/],
  ])('may be %i in the answer to SaslHandshake', async (code, message) => {
    const handshake = Buffer.concat([int16(code), array([])]);
    const failure = await refusal(
      answering({ [API_VERSIONS]: WITH_LOGIN, [SASL_HANDSHAKE]: handshake }),
      optionsFor(),
    );
    expect(failure).toMatchObject({ code: 'BROKER_ERROR', context: { brokerCode: code } });
    expect(failure.message).toMatch(message);
  });

  it('may be another error of the login', async () => {
    const answer = Buffer.concat([int16(34), string('again?'), bytes(null)]);
    const failure = await refusal(
      answering({
        ...{ [API_VERSIONS]: WITH_LOGIN, [SASL_HANDSHAKE]: HANDSHAKE_DONE },
        [SASL_AUTHENTICATE]: answer,
      }),
      optionsFor(),
    );
    expect(failure).toMatchObject({ code: 'BROKER_ERROR', context: { brokerCode: 34 } });
    expect(failure.message).toContain('ILLEGAL_SASL_STATE: again?');
  });

  it.each([
    ['to SaslHandshake', { [SASL_HANDSHAKE]: int32(7) }, /malformed answer to SaslHandshake v1/],
    [
      'to SaslAuthenticate',
      {
        [SASL_HANDSHAKE]: HANDSHAKE_DONE,
        [SASL_AUTHENTICATE]: Buffer.concat([int16(0), int16(-1), int32(9)]),
      },
      /malformed answer to SaslAuthenticate v0/,
    ],
  ])('may be a malformed answer %s', async (_name, answers, message) => {
    const failure = await refusal(answering({ [API_VERSIONS]: WITH_LOGIN, ...answers }), optionsFor());
    expect(failure.code).toBe('BROKER_ERROR');
    expect(failure.message).toMatch(message);
  });
});

describe('A login at a broker that has none', () => {
  it.each<[string, (readonly [number, number, number])[]]>([
    ['no SaslHandshake', []],
    ['only newer ones', [[SASL_HANDSHAKE, 2, 3]]],
    ['version 1 without SaslAuthenticate', [[SASL_HANDSHAKE, 1, 1]]],
    [
      'version 1 with another SaslAuthenticate',
      [
        [SASL_HANDSHAKE, 1, 1],
        [SASL_AUTHENTICATE, 1, 2],
      ],
    ],
  ])('is an error: %s', async (_name, apis) => {
    const failure = await refusal(
      answering({ [API_VERSIONS]: apiVersionsBody([...MODERN, ...apis]) }),
      optionsFor(),
    );
    expect(failure.code).toBe('BROKER_ERROR');
    expect(failure.message).toMatch(
      /has no login that this package knows \(SaslHandshake\).*security\.protocol/,
    );
  });

  it.each<[string, Handler]>([
    ['closes the connection when it is asked for its versions (0.8)', ancient()],
    ['does not say its versions (0.9)', () => undefined],
  ])('is an error: it %s, and that is not taken for age', async (_name, handler) => {
    const memory = new BrokerVersionsMemory();
    const failure = await refusal(handler, optionsFor({}, { timeoutMs: 100, memory }));
    expect(failure.code).toBe('BROKER_UNREACHABLE');
  });

  it.each([
    [1, ancient()],
    [2, () => undefined],
  ] satisfies [number, Handler][])(
    'names security.protocol if the registration (version %i) says that it is old',
    async (registrationVersion, handler) => {
      const failure = await refusal(handler, optionsFor({}, { timeoutMs: 100 }), { registrationVersion });
      expect(failure).toMatchObject({ code: 'BROKER_ERROR', cause: { code: 'BROKER_UNREACHABLE' } });
      expect(failure.message).toMatch(/has no login.*from 0\.10 on; look at security\.protocol/);
    },
  );

  it('names security.protocol only if it is aborted by nobody', async () => {
    const abort = new AbortController();
    const options = optionsFor({}, { signal: abort.signal });
    const failure = await refusal(() => abort.abort(), options, { registrationVersion: 2 });
    expect(failure.code).toBe('BROKER_UNREACHABLE');
  });

  it('is tried although the broker was mute before', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(listener({ version: 1, mechanism: 'PLAIN' }));
      const memory = new BrokerVersionsMemory();
      memory.rememberMute(broker.endpoint);
      const connection = await BrokerConnection.connect(broker.endpoint, optionsFor({}, { memory }));
      connection.close();
      expect(broker.requests.map(({ apiKey }) => apiKey)).toEqual([18, SASL_HANDSHAKE, SASL_AUTHENTICATE]);
    });
  });
});

describe('A client without a login', () => {
  const plain: BrokerConnectionOptions = { clientId: 'spec', timeoutMs: 1000, maxFrameBytes: 1000 };

  it.each([
    ['closes', (socket: Socket) => void socket.end()],
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
  ])('is told to look at security.protocol by a listener that wants one, and %s', async (_name, hangUp) => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(modern(({ socket }) => hangUp(socket)));
      const connection = await BrokerConnection.connect(broker.endpoint, plain);
      const failure = await failureOf(connection.request({ ...blobRequest(1), apiKey: METADATA }));
      expect(failure.code).toBe('BROKER_UNREACHABLE');
      expect(failure.message).toMatch(/the listener wants a login: look at security\.protocol$/);
    });
  });

  it('is told nothing of the kind once it was served, nor when it has asked nothing', async () => {
    await leavesNothing(async () => {
      await using broker = await FakeBroker.start(modern(answerBlob));
      const served = await BrokerConnection.connect(broker.endpoint, plain);
      await served.request(blobRequest(1));
      const idle = await BrokerConnection.connect(broker.endpoint, plain);
      broker.handler = ({ socket }) => void socket.end();
      const failures = [await failureOf(served.request(blobRequest(1)))];
      broker.sockets[1]?.end();
      while (!idle.closed) await new Promise(setImmediate);
      failures.push(await failureOf(idle.request(blobRequest(1))));
      for (const { message } of failures) expect(message).toMatch(/the broker closed it$/);
    });
  });
});
