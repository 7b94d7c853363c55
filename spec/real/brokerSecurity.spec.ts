import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { inspect } from 'node:util';

import { ConnectorError, type ConnectorConfig, type Logger } from '../../lib';
import type { SecurityProtocol } from '../../lib/kafka/brokerSecurity';
import { ALL_ACCESSES, clientCertificate, settingsFor, type Access } from '../support/clientSecurity';
import { certificates } from '../support/cluster/certificates';
import { RealCluster } from '../support/cluster/RealCluster';
import type { BrokerProperties } from '../support/cluster/TestCluster';
import { writeScramUser } from '../support/cluster/scramUsers';
import { securedBrokers, USER } from '../support/cluster/securedBrokers';
import { compareDeliveries } from '../support/deliveries';
import { LocalMember } from '../support/LocalMember';
import { Producer } from '../support/produce/Producer';
import type { ProducedAt } from '../support/produce/SteadyLoad';
import { disorderOf } from '../support/StreamReadings';
import { waitFor } from '../support/waitFor';

// Real servers: the embedded ones have neither TLS nor SASL.
// The first run on a machine resolves the jars and makes the certificates.
jest.setTimeout(300_000);

const LIMIT_MS = 30_000;
/** A refusal is told by then. */
const REFUSAL_LIMIT_MS = 5000;
const TOPIC = 'orders';
const PARTITIONS = 4;
const MESSAGES_PER_PARTITION = 50;
/** Nobody has it, so that it can be looked for in everything that is said. */
const WRONG_PASSWORD = 'a-password-that-is-wrong';
const WITH_ALL = ['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'] as const;
const SASL_ACCESSES = ALL_ACCESSES.filter(({ mechanism }) => mechanism !== undefined);

let groups = 0;
const newGroup = (): string => `readers-${(groups += 1)}`;

const nameOf = ({ protocol, mechanism }: Access): string =>
  mechanism === undefined ? protocol : `${protocol} with ${mechanism}`;

const named = (accesses: readonly Access[]): { name: string; access: Access }[] =>
  accesses.map((access) => ({ name: nameOf(access), access }));

/** Two brokers with these listeners, and the topic. */
async function start(
  kafka: string,
  protocols: readonly SecurityProtocol[],
  properties: BrokerProperties = {},
): Promise<RealCluster> {
  const listeners = await securedBrokers({ protocols, properties });
  const cluster = await RealCluster.start({ kafka, brokers: 2, ...listeners });
  await cluster.createTopic(TOPIC, { partitions: PARTITIONS });
  return cluster;
}

/** More of the topic, which every group reads from its start. */
async function produce(cluster: RealCluster, round: string): Promise<ProducedAt[]> {
  await using producer = new Producer({ brokers: cluster.brokers });
  const produced: ProducedAt[] = [];
  for (let partition = 0; partition < PARTITIONS; partition++) {
    const values = Array.from({ length: MESSAGES_PER_PARTITION }, (_, n) => `${round}#${partition}.${n}`);
    const messages = values.map((value) => ({ value }));
    const base = await producer.send(TOPIC, partition, messages);
    values.forEach((value, n) => produced.push({ topic: TOPIC, partition, offset: base + n, value }));
  }
  return produced;
}

async function startMember(
  cluster: RealCluster,
  group: string,
  properties: Partial<ConnectorConfig>,
): Promise<LocalMember> {
  const { zookeeperConnect } = cluster;
  return LocalMember.start({ zookeeperConnect, group, topics: { [TOPIC]: 1 }, properties });
}

/** What was wrong with what members have read. */
interface Flaws {
  readonly missing: readonly string[];
  readonly repeated: readonly unknown[];
  readonly disorder: readonly string[];
  readonly errors: readonly unknown[];
}

const NO_FLAWS: Flaws = { missing: [], repeated: [], disorder: [], errors: [] };

/** Waits for as many messages as were produced. */
async function readAll(produced: readonly ProducedAt[], members: readonly LocalMember[]): Promise<Flaws> {
  const count = (): number => members.reduce((sum, { messages }) => sum + messages.length, 0);
  await waitFor(() => count() >= produced.length, {
    timeoutMs: LIMIT_MS,
    description: `${produced.length} messages`,
    details: () =>
      inspect(
        members.map(({ events }) => events.slice(-6)),
        { depth: 4 },
      ),
  });
  const { missing, repeated } = compareDeliveries(produced, members);
  const disorder = members.flatMap(({ messages }) => disorderOf(messages));
  return { missing, repeated, disorder, errors: members.flatMap(({ errors }) => errors) };
}

/** Two members of a new group share the topic: each reads from both brokers. */
async function readByTwo(
  cluster: RealCluster,
  produced: readonly ProducedAt[],
  properties: Partial<ConnectorConfig>,
): Promise<Flaws> {
  const group = newGroup();
  await using one = await startMember(cluster, group, properties);
  await using two = await startMember(cluster, group, properties);
  await waitFor(() => one.owned.length === 2 && two.owned.length === 2, {
    timeoutMs: LIMIT_MS,
    description: 'two partitions each',
  });
  return await readAll(produced, [one, two]);
}

/** Why the member did not start; it has said so in time, has never been in its group, and kept the password to itself. */
async function refusalOf(
  cluster: RealCluster,
  properties: Partial<ConnectorConfig>,
  group = newGroup(),
): Promise<string> {
  const said: unknown[] = [];
  const write: Logger['info'] = (...line) => void said.push(line);
  await using member = new LocalMember({
    ...{ zookeeperConnect: cluster.zookeeperConnect, group, topics: { [TOPIC]: 1 }, properties },
    logger: { debug: write, info: write, warn: write, error: write },
  });
  await using zookeeper = await cluster.zookeeper();
  const ids = `/consumers/${group}/ids`;
  const changesBefore = (await zookeeper.get(ids))?.childrenVersion ?? 0;
  const startedMs = performance.now();
  const failure: unknown = await member.connector.createMessageStreams(member.topics).then(
    () => null,
    (error: unknown) => error,
  );
  const takenMs = performance.now() - startedMs;
  const changes = (await zookeeper.get(ids))?.childrenVersion ?? 0;
  if (!ConnectorError.is(failure)) throw new Error(`It was not refused, but got ${inspect(failure)}`);
  expect(failure).toMatchObject({ code: 'BROKER_ERROR', retriable: false });
  expect(takenMs).toBeLessThan(REFUSAL_LIMIT_MS);
  expect(changes).toBe(changesBefore);
  expect(await zookeeper.children(ids)).not.toContain(member.consumerId);
  const everything = inspect([failure, member.events, said], { depth: 10 });
  expect(everything).not.toContain(WRONG_PASSWORD);
  return failure.message;
}

/** From its return on the brokers take this password for SCRAM, and nobody is logged in any more. */
async function changePassword(cluster: RealCluster, password: string): Promise<void> {
  await using zookeeper = await cluster.zookeeper();
  await writeScramUser(zookeeper, USER.name, password);
  for (const { id } of cluster.brokers) {
    await cluster.stopBroker(id);
    await cluster.startBroker(id);
  }
}

interface Refusal {
  readonly what: string;
  readonly settings: () => Promise<Partial<ConnectorConfig>>;
  readonly message: RegExp;
}

/** The certificate may be for whomever. */
const ANY_HOST = { 'ssl.endpoint.identification.algorithm': '' } as const;

const WRONG_LOGIN = { username: USER.name, password: WRONG_PASSWORD };

const PLAINTEXT_LISTENER = { protocol: 'SASL_PLAINTEXT' } as const;

/** Settings with something wrong, for brokers whose listeners take everybody who has it right. */
const WRONG_SETTINGS: readonly Refusal[] = [
  ...SASL_ACCESSES.map((access) => ({
    what: `a wrong password by ${nameOf(access)}`,
    settings: () => settingsFor(access, WRONG_LOGIN),
    message: /sasl\.jaas\.config/,
  })),
  {
    what: 'an unknown user',
    settings: () =>
      settingsFor(
        { ...PLAINTEXT_LISTENER, mechanism: 'SCRAM-SHA-256' },
        { username: 'nobody', password: WRONG_PASSWORD },
      ),
    message: /"nobody".*sasl\.jaas\.config/,
  },
  {
    what: 'an authority that has not signed the certificates of the brokers',
    settings: async () => ({
      'security.protocol': 'SSL',
      'ssl.truststore.certificates': await readFile((await certificates()).stranger, 'utf8'),
    }),
    message: /not trusted.*ssl\.truststore/,
  },
  {
    what: 'no trust store',
    settings: () => Promise.resolve({ 'security.protocol': 'SSL' }),
    message: /not trusted.*ssl\.truststore/,
  },
];

/** For brokers that are harder to please. */
const PICKY_BROKERS: readonly Refusal[] = [
  {
    what: 'a mechanism that they do not have',
    settings: () => settingsFor({ ...PLAINTEXT_LISTENER, mechanism: 'SCRAM-SHA-512' }),
    message: /SCRAM-SHA-512.*PLAIN\b.*sasl\.mechanism/,
  },
  {
    what: 'a certificate that is for another host',
    settings: () => settingsFor({ protocol: 'SASL_SSL', mechanism: 'PLAIN' }),
    message: /another host.*ssl\.endpoint\.identification\.algorithm/,
  },
  {
    what: 'no certificate of the client',
    settings: async () => ({ ...(await settingsFor({ protocol: 'SSL' })), ...ANY_HOST }),
    message: /certificate.*ssl\.keystore\.location/,
  },
];

describe.each(['0.10.2.2', '3.9.1'])('with brokers of Kafka %s', (kafka) => {
  describe('that have a listener of each kind', () => {
    let cluster: RealCluster;
    let produced: ProducedAt[];

    beforeAll(async () => {
      cluster = await start(kafka, WITH_ALL);
      produced = await produce(cluster, 'first');
    });

    afterAll(() => cluster.stop());

    it.each(named(ALL_ACCESSES))('two members read everything by $name', async ({ access }) => {
      const settings = await settingsFor(access);
      await expect(readByTwo(cluster, produced, settings)).resolves.toEqual(NO_FLAWS);
    });

    it.each(WRONG_SETTINGS)('$what is a refusal that says where to look', async ({ settings, message }) => {
      expect(await refusalOf(cluster, await settings())).toMatch(message);
    });

    it('a member with a wrong password takes nothing from one that has the right one', async () => {
      const access = { ...PLAINTEXT_LISTENER, mechanism: 'SCRAM-SHA-256' } as const;
      const group = newGroup();
      await using right = await startMember(cluster, group, await settingsFor(access));
      const rebalances = right.eventsOf('rebalance:started').length;
      await refusalOf(cluster, await settingsFor(access, WRONG_LOGIN), group);
      await expect(readAll(produced, [right])).resolves.toEqual(NO_FLAWS);
      expect(right.owned).toHaveLength(PARTITIONS);
      expect(right.eventsOf('rebalance:started')).toHaveLength(rebalances);
    });

    it('right settings are all that a refused member needs, in the same group', async () => {
      const access = { protocol: 'SASL_SSL', mechanism: 'SCRAM-SHA-256' } as const;
      const group = newGroup();
      await refusalOf(cluster, await settingsFor(access, WRONG_LOGIN), group);
      await using right = await startMember(cluster, group, await settingsFor(access));
      await expect(readAll(produced, [right])).resolves.toEqual(NO_FLAWS);
    });

    it('a member takes over by SASL_SSL what another one leaves', async () => {
      const settings = await settingsFor({ protocol: 'SASL_SSL', mechanism: 'SCRAM-SHA-256' });
      const group = newGroup();
      await using staying = await startMember(cluster, group, settings);
      await using leaving = await startMember(cluster, group, settings);
      await waitFor(() => staying.owned.length === 2 && leaving.owned.length === 2, {
        timeoutMs: LIMIT_MS,
        description: 'two partitions each',
      });
      await expect(readAll(produced, [staying, leaving])).resolves.toEqual(NO_FLAWS);
      await leaving.stop();
      await waitFor(() => staying.owned.length === PARTITIONS, {
        timeoutMs: LIMIT_MS,
        description: 'all partitions in one hand',
      });
      produced.push(...(await produce(cluster, 'after one has left')));
      // Whoever takes a partition over does not start at its first message, so there is no order to be seen from there.
      const { missing, repeated, errors } = await readAll(produced, [staying, leaving]);
      expect({ missing, repeated, errors }).toEqual({ missing: [], repeated: [], errors: [] });
    });

    it('a member logs in again when a broker comes back', async () => {
      const access = { protocol: 'SASL_SSL', mechanism: 'SCRAM-SHA-512' } as const;
      await using member = await startMember(cluster, newGroup(), await settingsFor(access));
      await expect(readAll(produced, [member])).resolves.toEqual(NO_FLAWS);
      await cluster.stopBroker(2);
      await waitFor(() => member.eventsOf('fetch:failed').length > 0, {
        timeoutMs: LIMIT_MS,
        description: 'a failed fetch',
      });
      await cluster.startBroker(2);
      produced.push(...(await produce(cluster, 'second')));
      await expect(readAll(produced, [member])).resolves.toEqual(NO_FLAWS);
    });

    it('a member whose password was changed says so, and goes on without loss when it is put right', async () => {
      const access = { protocol: 'SASL_SSL', mechanism: 'SCRAM-SHA-512' } as const;
      await using member = await startMember(cluster, newGroup(), await settingsFor(access));
      await expect(readAll(produced, [member])).resolves.toEqual(NO_FLAWS);

      await changePassword(cluster, 'another-password');
      const refusals = (): string[] =>
        member
          .eventsOf('fetch:failed')
          .flatMap(({ error }) => (error.code === 'BROKER_ERROR' ? [error.message] : []));
      await waitFor(() => refusals().length > 0, { timeoutMs: LIMIT_MS, description: 'a refused login' });
      expect(refusals()[0]).toMatch(/"alice".*SCRAM-SHA-512.*sasl\.jaas\.config/);
      const readBefore = member.messages.length;
      produced.push(...(await produce(cluster, 'while it is refused')));
      const refusalsBefore = refusals().length;
      await waitFor(() => refusals().length > refusalsBefore, {
        timeoutMs: LIMIT_MS,
        description: 'one more try after the messages were written',
      });
      expect(member.messages).toHaveLength(readBefore);
      expect(member.owned).toHaveLength(PARTITIONS);

      await changePassword(cluster, USER.password);
      produced.push(...(await produce(cluster, 'after it was put right')));
      await expect(readAll(produced, [member])).resolves.toEqual(NO_FLAWS);
      expect(inspect(member.events, { depth: 10 })).not.toContain(USER.password);
    });
  });

  describe('that have PLAIN only, and certificates for another host, and want one of the client', () => {
    let cluster: RealCluster;
    let produced: ProducedAt[];

    beforeAll(async () => {
      cluster = await start(kafka, WITH_ALL, {
        'ssl.client.auth': 'required',
        'sasl.enabled.mechanisms': 'PLAIN',
        'ssl.keystore.location': (await certificates()).elsewhere,
      });
      produced = await produce(cluster, 'first');
    });

    afterAll(() => cluster.stop());

    it('two members read everything with a certificate in a PKCS12 file', async () => {
      const access = await settingsFor({ protocol: 'SSL' });
      const settings = { ...access, ...ANY_HOST, ...(await clientCertificate()) };
      await expect(readByTwo(cluster, produced, settings)).resolves.toEqual(NO_FLAWS);
    });

    it('two members read everything by a login, if they do not ask for whom the certificate is', async () => {
      const access = await settingsFor({ protocol: 'SASL_SSL', mechanism: 'PLAIN' });
      const settings = { ...access, ...ANY_HOST };
      await expect(readByTwo(cluster, produced, settings)).resolves.toEqual(NO_FLAWS);
    });

    it.each(PICKY_BROKERS)('$what is a refusal that says where to look', async ({ settings, message }) => {
      expect(await refusalOf(cluster, await settings())).toMatch(message);
    });
  });
});

describe('with brokers of Kafka 0.9.0.1, which do not tell their versions', () => {
  let cluster: RealCluster;
  let produced: ProducedAt[];

  beforeAll(async () => {
    cluster = await start('0.9.0.1', ['PLAINTEXT', 'SSL']);
    produced = await produce(cluster, 'first');
  });

  afterAll(() => cluster.stop());

  it('two members read everything by SSL', async () => {
    const settings = await settingsFor({ protocol: 'SSL' });
    await expect(readByTwo(cluster, produced, settings)).resolves.toEqual(NO_FLAWS);
  });

  it('no trust store is a refusal that says where to look', async () => {
    expect(await refusalOf(cluster, { 'security.protocol': 'SSL' })).toMatch(/not trusted.*ssl\.truststore/);
  });

  it('a login is a refusal that names the listeners', async () => {
    const settings = await settingsFor({ protocol: 'SASL_SSL', mechanism: 'PLAIN' });
    expect(await refusalOf(cluster, settings)).toMatch(
      /no SASL_SSL listener.*security\.protocol.*PLAINTEXT, SSL/,
    );
  });
});

describe('with brokers that have one listener only', () => {
  it('TLS is a refusal that names it where there is none', async () => {
    await using cluster = await RealCluster.start({ kafka: '0.8.2.2' });
    const settings = await settingsFor({ protocol: 'SSL' });
    expect(await refusalOf(cluster, settings)).toMatch(/no SSL listener.*security\.protocol.*PLAINTEXT/);
  });

  it('PLAINTEXT is a refusal that names it where it is TLS', async () => {
    await using cluster = await RealCluster.start({
      kafka: '3.9.1',
      ...(await securedBrokers({ protocols: ['SSL'] })),
    });
    expect(await refusalOf(cluster, {})).toMatch(/no PLAINTEXT listener.*security\.protocol.*SSL/);
  });
});
