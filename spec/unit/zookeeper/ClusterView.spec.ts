import { ConnectorError } from '../../../lib/errors';
import type { SecurityProtocol } from '../../../lib/kafka/brokerSecurity';
import type { BrokerEndpoint } from '../../../lib/kafka/brokerVersions';
import { silentLogger } from '../../../lib/logger';
import { ClusterView } from '../../../lib/zookeeper/ClusterView';
import { clusterOf } from '../fetch/support/parts';
import { ScriptedBroker } from '../fetch/support/ScriptedBroker';
import { FakeSession } from './support/FakeSession';

const NONE_REGISTERED = { code: 'BROKER_UNREACHABLE', context: { path: '/brokers/ids' } };

interface Given {
  readonly protocol?: SecurityProtocol;
  readonly bootstrap?: readonly ScriptedBroker[];
  /** By broker id. */
  readonly registrations?: Readonly<Record<number, string>>;
  readonly connect?: ClusterView['connect'];
  readonly signal?: AbortSignal;
}

function viewOf(given: Given = {}): { view: ClusterView; zookeeper: FakeSession; warnings: string[] } {
  const { protocol = 'PLAINTEXT', bootstrap = [], registrations = {}, signal } = given;
  const zookeeper = new FakeSession();
  for (const [id, data] of Object.entries(registrations)) zookeeper.put(`/brokers/ids/${id}`, data, '0x2');
  const warnings: string[] = [];
  const view = new ClusterView({
    ...{ session: zookeeper.session, protocol },
    bootstrap: bootstrap.map(({ endpoint: { host, port } }) => ({ host, port, registrationVersion: 5 })),
    connect: given.connect ?? clusterOf(bootstrap).connect,
    logger: { ...silentLogger, warn: (message) => warnings.push(message) },
    signal: signal ?? new AbortController().signal,
  });
  return { view, zookeeper, warnings };
}

function registration(endpoint: string): string {
  return JSON.stringify({ version: 4, host: null, port: -1, endpoints: [endpoint] });
}

/** Fails for each port with the error that it stands for. */
function refusing(errors: Readonly<Record<number, ConnectorError>>): ClusterView['connect'] {
  return ({ port }: BrokerEndpoint) => Promise.reject(errors[port] ?? new Error(`no error for ${port}`));
}

const refused = new ConnectorError('BROKER_ERROR', 'wrong password');
const away = new ConnectorError('BROKER_UNREACHABLE', 'connection refused');

describe('the brokers', () => {
  it('are those with a listener of the security protocol; others are left out and named in the log', async () => {
    const registrations = { 1: registration('SSL://a:1'), 2: registration('PLAINTEXT://b:2'), 3: 'no JSON' };
    const { view, warnings } = viewOf({ protocol: 'SSL', registrations });
    expect(await view.brokers()).toEqual([{ id: 1, host: 'a', port: 1, registrationVersion: 4 }]);
    expect(warnings.sort()).toEqual([
      'the registration of broker 2 cannot be used',
      'the registration of broker 3 cannot be used',
    ]);
  });

  it('are an error if none of the registered ones can be used, or if none is registered', async () => {
    const registrations = { 1: registration('SSL://a:1') };
    await expect(viewOf({ registrations }).view.brokers()).rejects.toMatchObject({
      code: 'BROKER_ERROR',
      message: expect.stringMatching(
        /no PLAINTEXT listener, which security.protocol asks for; it has SSL/,
      ) as string,
    });
    const none = viewOf().view.brokers();
    await expect(none).rejects.toMatchObject(NONE_REGISTERED);
    await expect(none).rejects.toThrow(/chroot.*KRaft; then set bootstrap\.servers/);
  });

  it('are those of bootstrap.servers only while none is registered', async () => {
    await using broker = await ScriptedBroker.start();
    const { view, zookeeper } = viewOf({ bootstrap: [broker] });
    expect(await view.brokers()).toMatchObject([{ port: broker.endpoint.port }]);
    zookeeper.put('/brokers/ids/1', registration('PLAINTEXT://a:1'), '0x2');
    expect(await view.brokers()).toMatchObject([{ host: 'a', port: 1 }]);
  });
});

describe('partitions', () => {
  it('come from the brokers while none is registered in ZooKeeper, whatever that still says', async () => {
    await using broker = await ScriptedBroker.start();
    for (const partition of [2, 0, 1]) broker.produce('t12', partition, 'a');
    const { view, zookeeper } = viewOf({ bootstrap: [broker] });
    zookeeper.put('/brokers/topics/t12', '{"version":1,"partitions":{"0":[1]}}', '0x0');
    expect(await view.partitionsOf(['t12', 'none'])).toEqual(
      new Map([
        ['t12', [0, 1, 2]],
        ['none', []],
      ]),
    );
    expect(await view.existingTopics(['t12', 'none'])).toEqual(['t12', 'none']);
    expect(await view.partitionsOf([])).toEqual(new Map());
    zookeeper.put('/brokers/ids/1', registration('PLAINTEXT://a:1'), '0x2');
    expect(await view.partitionsOf(['t12'])).toEqual(new Map([['t12', [0]]]));
    expect(await view.existingTopics(['t12', 'none'])).toEqual(['t12']);
  });

  it('are an error if no broker answers', async () => {
    const broker = await ScriptedBroker.start();
    await broker.stop();
    const { view } = viewOf({ bootstrap: [broker] });
    await expect(view.partitionsOf(['t12'])).rejects.toMatchObject({ code: 'BROKER_UNREACHABLE' });
  });
});

describe('being served', () => {
  const registrations = { 1: registration('SASL_SSL://a:1'), 2: registration('SASL_SSL://a:2') };
  const secured = { protocol: 'SASL_SSL', registrations } as const;

  it('is refused when brokers refuse for good and none lets in', async () => {
    const { view } = viewOf({ ...secured, connect: refusing({ 1: away, 2: refused }) });
    await expect(view.assertServed()).rejects.toBe(refused);
  });

  it('is given when one lets in, and that connection is closed', async () => {
    await using broker = await ScriptedBroker.start();
    const { connect } = clusterOf([broker]);
    const { view } = viewOf({
      ...secured,
      connect: (endpoint, signal) =>
        endpoint.port === 1 ? Promise.reject(refused) : connect(broker.endpoint, signal),
    });
    await expect(view.assertServed()).resolves.toBeUndefined();
  });

  it('is left open when brokers are away, or silent at the abort', async () => {
    const all = viewOf({ ...secured, connect: refusing({ 1: away, 2: away }) });
    await expect(all.view.assertServed()).resolves.toBeUndefined();
    const { view } = viewOf({
      ...secured,
      signal: AbortSignal.timeout(20),
      connect: (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(away))),
    });
    await expect(view.assertServed()).resolves.toBeUndefined();
  });

  it('is not asked for where nothing can be wrong, and is refused where no listener fits', async () => {
    const connect = refusing({ 1: refused });
    const plain = viewOf({ registrations: { 1: registration('PLAINTEXT://a:1') }, connect });
    await expect(plain.view.assertServed()).resolves.toBeUndefined();
    await expect(viewOf({ registrations }).view.assertServed()).rejects.toMatchObject({
      code: 'BROKER_ERROR',
    });
  });

  it('is refused when the partitions could be asked of nobody: no server of bootstrap.servers lets in', async () => {
    await using broker = await ScriptedBroker.start();
    const bootstrap = [broker];
    await expect(viewOf({ bootstrap }).view.assertServed()).resolves.toBeUndefined();
    const { port } = broker.endpoint;
    const unreachable = viewOf({ bootstrap, connect: refusing({ [port]: away }) }).view.assertServed();
    await expect(unreachable).rejects.toMatchObject({
      code: 'BROKER_UNREACHABLE',
      message: expect.stringMatching(/none of bootstrap\.servers .*connection refused/) as string,
    });
    const wrong = viewOf({ bootstrap, connect: refusing({ [port]: refused }) }).view.assertServed();
    await expect(wrong).rejects.toMatchObject({ code: 'BROKER_ERROR', cause: refused });
  });

  it('is left open, with a warning, when no broker is registered', async () => {
    const { view, warnings } = viewOf();
    await expect(view.assertServed()).resolves.toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('no broker is registered in /brokers/ids')]);
  });
});
