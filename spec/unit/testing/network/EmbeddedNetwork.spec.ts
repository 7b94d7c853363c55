import { EmbeddedNetwork } from '../../../../lib/testing/network/EmbeddedNetwork';
import { MOST_DELAY_MS } from '../../../../lib/testing/network/NetworkArguments';
import { waitFor } from '../../../support/waitFor';
import { EchoServer, framed, type EchoClient } from './support/EchoServer';

/** What has come when so many frames have, or more. */
async function frames(client: EchoClient, count: number): Promise<string[]> {
  await waitFor(() => client.frames.length >= count, { timeoutMs: 3000, description: 'frames' });
  return client.frames;
}

async function gone(client: EchoClient): Promise<string | null> {
  await waitFor(() => client.how !== null, { timeoutMs: 3000, description: 'the end of the connection' });
  return client.how;
}

describe('without faults', () => {
  it('frames are answered, however they are cut on their way', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    for (const byte of Buffer.concat([framed('one'), framed('')])) {
      client.socket.write(Buffer.from([byte]));
      await new Promise(setImmediate);
    }
    client.send('two', '?');
    await expect(frames(client, 5)).resolves.toEqual(['one', '', 'two', '?', '!']);
  });

  it.each([
    ['negative', -1],
    ['above the limit', 1001],
  ])('a length that is %s ends the connection', async (_, length) => {
    await using server = await EchoServer.start();
    const client = await server.client();
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(length);
    client.socket.write(bytes);
    await expect(gone(client)).resolves.not.toBeNull();
    expect(server.closedCount).toBe(1);
  });

  it('a command of four letters is answered as it is, and ends the connection', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    client.socket.write('ruok');
    await expect(gone(client)).resolves.toBe('end');
    expect(client.bytes.toString()).toBe('imok');
  });

  it('a server that ends a connection sends first what it has said', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    client.send('end');
    await expect(gone(client)).resolves.toBe('end');
    expect(client.frames).toEqual(['end']);
  });

  it('a client that has said all gets what it is still owed', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    server.network.delay(30, {}, 'answers');
    client.send('last');
    client.socket.end();
    await expect(gone(client)).resolves.toBe('end');
    expect(client.frames).toEqual(['last']);
  });

  it('open connections are known with who they say they are', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    client.send('label:me');
    await expect(frames(client, 1)).resolves.toEqual(['label:me']);
    expect(server.network.connections()).toEqual([
      expect.objectContaining({ id: 1, server: 'broker', number: 1, client: 'me' }),
    ]);
    expect(server.network.connections()[0]?.remotePort).toBe(client.socket.localPort);
    client.socket.destroy();
    await waitFor(() => server.network.connections().length === 0, {
      timeoutMs: 3000,
      description: 'no one',
    });
  });

  it('a stopped listener resets its connections, and starts again on the same port', async () => {
    await using server = await EchoServer.start();
    const { port } = server.listener;
    const client = await server.client();
    client.send('hello');
    await expect(frames(client, 1)).resolves.toEqual(['hello']);
    await server.listener.stop();
    await expect(gone(client)).resolves.toBe('reset');
    await server.listener.start();
    expect(server.listener.port).toBe(port);
    const other = await server.client();
    other.send('again');
    await expect(frames(other, 1)).resolves.toEqual(['again']);
  });
});

describe('faults', () => {
  it('drop resets those that are meant, and no others', async () => {
    await using server = await EchoServer.start();
    const [a, b] = [await server.client(), await server.client()];
    a.send('label:a');
    b.send('label:b');
    await expect(frames(a, 1)).resolves.toEqual(['label:a']);
    await expect(frames(b, 1)).resolves.toEqual(['label:b']);
    server.network.drop({ client: /^a/ });
    await expect(gone(a)).resolves.toBe('reset');
    b.send('still');
    await expect(frames(b, 2)).resolves.toEqual(['label:b', 'still']);
    expect(b.how).toBeNull();
  });

  it('delay holds each frame back that long, in both directions', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    server.network.delay(40);
    const startMs = performance.now();
    client.send('slow');
    await expect(frames(client, 1)).resolves.toEqual(['slow']);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(79);
  });

  it('drawn delays keep the order of frames', async () => {
    await using server = await EchoServer.start(7);
    const client = await server.client();
    server.network.delay({ minMs: 0, maxMs: 20 });
    const texts = Array.from({ length: 40 }, (_, index) => String(index));
    client.send(...texts);
    await expect(frames(client, texts.length)).resolves.toEqual(texts);
  });

  it('the same seed draws the same delays, another one others', () => {
    const draw = (seed: number): number[] => {
      const { network } = new EchoServer(seed);
      network.delay({ minMs: 5, maxMs: 9 });
      const facts = { server: 'broker', number: 1, client: null } as const;
      return Array.from({ length: 20 }, () => network.drawDelayMs(facts, 'answers'));
    };
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
    expect(draw(3).every((ms) => ms >= 5 && ms <= 9)).toBe(true);
    expect(new Set(draw(3)).size).toBe(20);
  });

  it('a black hole keeps requests back until it is healed', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    client.send('before');
    await expect(frames(client, 1)).resolves.toEqual(['before']);
    const hole = server.network.blackHole({}, 'requests');
    client.send('during');
    const other = await server.client();
    other.send('new connections, too');
    await waitFor(() => server.connections.length === 2, { timeoutMs: 3000, description: 'both' });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([client.frames, other.frames]).toEqual([['before'], []]);
    hole.heal();
    await expect(frames(client, 2)).resolves.toEqual(['before', 'during']);
    await expect(frames(other, 1)).resolves.toEqual(['new connections, too']);
  });

  it('a black hole of answers lets requests through', async () => {
    await using server = await EchoServer.start();
    const client = await server.client();
    server.network.blackHole({}, 'answers');
    client.send('label:heard');
    await waitFor(() => server.connections[0]?.client === 'heard', {
      timeoutMs: 3000,
      description: 'a label',
    });
    expect(client.frames).toEqual([]);
    server.network.heal();
    await expect(frames(client, 1)).resolves.toEqual(['label:heard']);
  });

  it('a fault for one client begins when that client says who it is', async () => {
    await using server = await EchoServer.start();
    server.network.blackHole({ client: 'late' }, 'answers');
    const client = await server.client();
    client.send('first');
    await expect(frames(client, 1)).resolves.toEqual(['first']);
    client.send('label:late');
    await waitFor(() => server.connections[0]?.client === 'late', {
      timeoutMs: 3000,
      description: 'a label',
    });
    expect(client.frames).toEqual(['first']);
  });

  it('refuse resets new connections and leaves the others alone', async () => {
    await using server = await EchoServer.start();
    const old = await server.client();
    old.send('old');
    await expect(frames(old, 1)).resolves.toEqual(['old']);
    const fault = server.network.refuse();
    const refused = await server.client();
    await expect(gone(refused)).resolves.toBe('reset');
    old.send('still');
    await expect(frames(old, 2)).resolves.toEqual(['old', 'still']);
    fault.heal();
    const welcome = await server.client();
    welcome.send('in');
    await expect(frames(welcome, 1)).resolves.toEqual(['in']);
  });

  it.each([0, 2, 4, 6])(
    'an answer that is cut after %d bytes is followed by the end of the connection',
    async (afterBytes) => {
      await using server = await EchoServer.start();
      const client = await server.client();
      server.network.cutNextAnswer(afterBytes);
      client.send('a long answer');
      await expect(gone(client)).resolves.not.toBeNull();
      await waitFor(() => client.socket.destroyed, { timeoutMs: 3000, description: 'the end' });
      expect(client.bytes).toEqual(framed('a long answer').subarray(0, afterBytes));
      const next = await server.client();
      next.send('whole');
      await expect(frames(next, 1)).resolves.toEqual(['whole']);
    },
  );

  it('faults of another server or number do not matter', async () => {
    await using server = await EchoServer.start();
    server.network.blackHole({ server: 'zookeeper' });
    server.network.blackHole({ number: 2 });
    server.network.cutNextAnswer(1, { server: 'broker', number: 2 });
    const client = await server.client();
    client.send('through');
    await expect(frames(client, 1)).resolves.toEqual(['through']);
  });

  it('a cut tells how many answers are still to be cut', async () => {
    await using server = await EchoServer.start();
    const cut = server.network.cutNextAnswer(0, {}, 2);
    expect(cut.timesLeft).toBe(2);
    const client = await server.client();
    client.send('gone');
    await expect(gone(client)).resolves.not.toBeNull();
    expect(cut.timesLeft).toBe(1);
    cut.heal();
    const next = await server.client();
    next.send('whole');
    await expect(frames(next, 1)).resolves.toEqual(['whole']);
    expect(cut.timesLeft).toBe(1);
  });

  it('delays together are no longer than a timer can wait', () => {
    const { network } = new EchoServer();
    network.delay(MOST_DELAY_MS);
    network.delay({ minMs: 1, maxMs: MOST_DELAY_MS });
    const facts = { server: 'broker', number: 1, client: null } as const;
    expect(network.drawDelayMs(facts, 'answers')).toBe(MOST_DELAY_MS);
  });

  it('a filter that is changed afterwards does not change a fault', () => {
    const { network } = new EchoServer();
    const filter: { server: 'broker' | 'zookeeper' } = { server: 'broker' };
    network.refuse(filter);
    filter.server = 'zookeeper';
    expect(network.isRefused({ server: 'broker', number: 1, client: null })).toBe(true);
  });

  it.each<[string, (network: EmbeddedNetwork) => unknown, string]>([
    [
      'a filter that is null',
      (network) => network.drop(wrong(null)),
      "drop: filter must be an object such as { server: 'broker', number: 1 }, not null",
    ],
    [
      'a filter that is a number',
      (network) => network.blackHole(wrong(2)),
      'blackHole: filter must be an object such as',
    ],
    [
      'an unknown name in a filter',
      (network) => network.connections(wrong({ cleint: 'x' })),
      'connections: "cleint" is none of the names in filter. Did you mean "client"?',
    ],
    [
      'an unknown kind of server',
      (network) => network.drop({ server: wrong('kafka') }),
      'drop: filter.server must be "broker" or "zookeeper", not "kafka" (string)',
    ],
    [
      'a misspelt kind of server',
      (network) => network.drop({ server: wrong('brokers') }),
      'drop: filter.server cannot be "brokers" (string). Did you mean "broker"?',
    ],
    [
      'a number as text',
      (network) => network.drop({ number: wrong('1') }),
      'drop: filter.number must be a whole number from 1 to 3, not "1" (string)',
    ],
    [
      'a broker that there is not',
      (network) => network.drop({ server: 'broker', number: 4 }),
      'drop: filter.number must be a whole number from 1 to 3, not 4 (number)',
    ],
    [
      'a server of ZooKeeper that there is not',
      (network) => network.drop({ server: 'zookeeper', number: 2 }),
      'drop: filter.number must be a whole number from 1 to 1, not 2 (number)',
    ],
    [
      'a client by number',
      (network) => network.drop({ client: wrong(1) }),
      'drop: filter.client must be a text or a RegExp, not 1 (number)',
    ],
    [
      'an unknown direction',
      (network) => network.blackHole({}, wrong('in')),
      'blackHole: direction must be "requests", "answers" or "both", not "in" (string)',
    ],
    [
      'a negative delay',
      (network) => network.delay(-1),
      'delay: range must be milliseconds from 0 to 2147483647, not -1 (number)',
    ],
    [
      'a delay as text',
      (network) => network.delay(wrong('5')),
      'delay: range must be a number or an object such as { minMs: 5, maxMs: 50 }, not "5" (string)',
    ],
    [
      'a delay that is no number',
      (network) => network.delay({ minMs: NaN, maxMs: 4 }),
      'delay: range.minMs must be milliseconds from 0 to 2147483647, not NaN (number)',
    ],
    [
      'a delay without an end',
      (network) => network.delay(wrong({ minMs: 5 })),
      'delay: range.maxMs must be milliseconds from 0 to 2147483647, not undefined',
    ],
    [
      'a delay that ends before it begins',
      (network) => network.delay({ minMs: 5, maxMs: 4 }),
      'delay: range.maxMs must be minMs (5) or more, not 4 (number)',
    ],
    [
      'a delay that no timer can wait',
      (network) => network.delay(2 ** 31),
      'delay: range must be milliseconds from 0 to 2147483647, not 2147483648 (number)',
    ],
    [
      'an unknown name in a range',
      (network) => network.delay(wrong({ min: 5, maxMs: 6 })),
      'delay: "min" is none of the names in range. Did you mean "minMs"?',
    ],
    [
      'a cut after half a byte',
      (network) => network.cutNextAnswer(1.5),
      'cutNextAnswer: afterBytes must be a whole number from 0 on, not 1.5 (number)',
    ],
    [
      'no cut at all',
      (network) => network.cutNextAnswer(1, {}, 0),
      'cutNextAnswer: times must be a whole number from 1 on, not 0 (number)',
    ],
    [
      'a client that is not known yet',
      (network) => network.refuse(wrong({ client: 'x' })),
      'refuse: filter.client must be left out: nobody knows yet who is connecting',
    ],
  ])('%s is refused', (_, act, message) => {
    const network = new EmbeddedNetwork(1, { broker: 3, zookeeper: 1 });
    expect(() => act(network)).toThrow(TypeError);
    expect(() => act(network)).toThrow(`network.${message}`);
  });

  it('nothing is placed any more when the cluster is over', () => {
    const network = new EmbeddedNetwork(1);
    const before = network.blackHole();
    network.end();
    const acts = [
      () => network.drop(),
      () => network.delay(1),
      () => network.blackHole(),
      () => network.refuse(),
      () => network.cutNextAnswer(1),
      () => network.heal(),
    ];
    for (const act of acts) expect(act).toThrow('the cluster has been stopped');
    expect(network.connections()).toEqual([]);
    expect(() => before.heal()).not.toThrow();
  });
});

/** What only JavaScript would pass. */
function wrong(value: unknown): never {
  return value as never;
}
