import { once } from 'node:events';
import { connect } from 'node:net';

import { create, EPHEMERAL, OP } from './support/operations';
import { TestEnsemble } from './support/TestEnsemble';

describe('words of four letters', () => {
  let zookeeper: TestEnsemble;

  async function say(word: string, number = 1): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: zookeeper.ensemble.servers[number - 1]?.port ?? 0 });
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    const ended = once(socket, 'close');
    socket.write(word);
    await ended;
    return text;
  }

  describe.each(['3.4', '3.8'] as const)('to ZooKeeper %s', (release) => {
    beforeEach(async () => {
      zookeeper = await TestEnsemble.start({ release, tickTimeMs: 500 });
    });

    afterEach(() => zookeeper[Symbol.asyncDispose]());

    it('ruok and isro tell that it is well', async () => {
      expect(await say('ruok')).toBe('imok');
      expect(await say('isro')).toBe('rw');
    });

    it('srvr has the layout of the release', async () => {
      expect(await say('srvr')).toBe(
        [
          release === '3.4'
            ? 'Zookeeper version: 3.4.6-1569965, built on 02/20/2014 09:09 GMT'
            : 'Zookeeper version: 3.8.4-9316c2a7a97e1666d8f4593f34dd6fc36ecc436c, built on 2024-02-12 22:16 UTC',
          `Latency min/avg/max: ${release === '3.4' ? '0/0/0' : '0/0.0/0'}`,
          ...['Received: 0', 'Sent: 0', 'Connections: 1', 'Outstanding: 0', 'Zxid: 0x0', 'Mode: standalone'],
          `Node count: ${release === '3.4' ? 4 : 5}\n`,
        ].join('\n'),
      );
    });

    it('srvr counts requests, events and answers', async () => {
      const client = await zookeeper.client();
      await client.ask(OP.exists, '/a', true);
      await create(client, '/a');
      const text = await say('srvr');
      expect(text).toMatch(/^Received: 3\nSent: 4\nConnections: 2\nOutstanding: 0\nZxid: 0x2$/m);
      await say('srst');
      expect(await say('srvr')).toMatch(/^Received: 1\nSent: 1\n/m);
    });

    it('stat and cons list the connections', async () => {
      const { client, connected } = await zookeeper.connect();
      await client.ask(OP.sync, '/');
      const sid = connected.sessionId.toString(16);
      expect(await say('cons')).toMatch(
        new RegExp(
          `^ /127\\.0\\.0\\.1:\\d+\\[1\\]\\(queued=0,recved=2,sent=2,sid=0x${sid},lop=SYNC,est=\\d+,to=10000,lcxid=0x1,` +
            'lzxid=0x1,lresp=\\d+,llat=\\d+,minlat=\\d+,avglat=\\d+,maxlat=\\d+\\)\n',
        ),
      );
      expect(await say('stat')).toMatch(
        /\nClients:\n \/127\.0\.0\.1:\d+\[1\]\(queued=0,recved=2,sent=2\)\n.*\n\nLatency/,
      );
    });

    it('dump lists sessions by their end, and ephemeral nodes', async () => {
      const { client, connected } = await zookeeper.connect();
      await create(client, '/e', { flags: EPHEMERAL });
      const sid = connected.sessionId.toString(16);
      const text = await say('dump');
      expect(text).toMatch(
        new RegExp(
          `^SessionTracker dump:\nSession Sets \\(1\\)${release === '3.4' ? '' : '/\\(1\\)'}:\n` +
            `1 expire at \\w{3} \\w{3} \\d\\d [\\d:]{8} UTC \\d{4}:\n\t0x${sid}\n` +
            `ephemeral nodes dump:\nSessions with Ephemerals \\(1\\):\n0x${sid}:\n\t/e\n`,
        ),
      );
      expect(text.includes('Connections dump:')).toBe(release === '3.8');
    });

    it('wchs, wchp and wchc tell of watches on data', async () => {
      const { client, connected } = await zookeeper.connect();
      await client.ask(OP.getData, '/', true);
      await client.ask(OP.exists, '/a', true);
      const sid = `0x${connected.sessionId.toString(16)}`;
      expect(await say('wchs')).toBe('1 connections watching 2 paths\nTotal watches:2\n');
      expect(await say('wchp')).toBe(`/\n\t${sid}\n/a\n\t${sid}\n\n`);
      expect(await say('wchc')).toBe(`${sid}\n\t/\n\t/a\n\n`);
    });

    it('conf, envi and mntr have the lines that tools look for', async () => {
      const { port } = zookeeper.ensemble.servers[0] ?? {};
      expect(await say('conf')).toContain(
        'tickTime=500\nmaxClientCnxns=0\nminSessionTimeout=1000\nmaxSessionTimeout=10000\n',
      );
      expect(await say('conf')).toContain(`clientPort=${port}\n`);
      expect(await say('envi')).toMatch(new RegExp(`^Environment:\nzookeeper.version=${release}\\.`));
      const nodes = release === '3.4' ? 4 : 5;
      expect(await say('mntr')).toMatch(
        new RegExp(`^zk_version\t${release}(.|\n)*zk_server_state\tstandalone\nzk_znode_count\t${nodes}\n`),
      );
    });

    it('a word that nobody knows is a length, too long, and ends the connection without an answer', async () => {
      await expect(say('what')).resolves.toBe('');
    });
  });

  describe('to an ensemble', () => {
    beforeEach(async () => {
      zookeeper = await TestEnsemble.start({ servers: 3 });
    });

    afterEach(() => zookeeper[Symbol.asyncDispose]());

    it('one leads, the others follow', async () => {
      const modes = await Promise.all(
        [1, 2, 3].map(async (number) => /Mode: (.*)/.exec(await say('srvr', number))?.[1]),
      );
      expect(modes).toEqual(['follower', 'follower', 'leader']);
      // An epoch shows only with its first transaction.
      expect(await say('srvr', 3)).toMatch(/Zxid: 0x0\n/);
      expect(await say('srvr', 3)).toMatch(/Node count: 5\nProposal sizes last\/min\/max: -1\/-1\/-1\n$/);
      expect(await say('mntr', 3)).toContain('zk_followers\t2\n');
    });

    it('without a majority a server tells nothing but that', async () => {
      await zookeeper.ensemble.stopServer(1);
      await zookeeper.ensemble.stopServer(2);
      expect(await say('srvr', 3)).toBe('This ZooKeeper instance is not currently serving requests\n');
      expect(await say('ruok', 3)).toBe('imok');
      expect(await say('isro', 3)).toBe('null');
    });
  });
});
