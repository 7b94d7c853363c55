import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

export interface BrokerAddress extends ServerAddress {
  readonly id: number;
}

export interface ZookeeperPorts {
  readonly client: number;
  readonly quorum: number;
  readonly election: number;
}

/** Where the server of number `from` finds the one of number `to`, which listens at `ports`; both count from 1. */
export type QuorumRoute = (from: number, to: number, ports: ZookeeperPorts) => Promise<ZookeeperPorts>;

export const HOST = '127.0.0.1';

/** Short ticks make sessions expire soon. */
export const ZOOKEEPER_TIMES = {
  tickTime: '500',
  minSessionTimeout: '1000',
  // As by default with the usual ticks; 3.4.6 refuses a lower limit without an upper one.
  maxSessionTimeout: '40000',
};

/** The command list is what readiness probes and specs ask. */
const ZOOKEEPER_DEFAULTS = {
  ...ZOOKEEPER_TIMES,
  initLimit: '20',
  syncLimit: '10',
  maxClientCnxns: '0',
  clientPortAddress: HOST,
  'admin.enableServer': 'false',
  '4lw.commands.whitelist': '*',
};

/** Small buffers, one replica of the internal topics, no waiting; what is left is a broker's default. */
export const BROKER_DEFAULTS = {
  'num.network.threads': '2',
  'num.io.threads': '4',
  'log.cleaner.dedupe.buffer.size': '2097152',
  'log.index.size.max.bytes': '1048576',
  'offsets.topic.num.partitions': '3',
  'offsets.topic.replication.factor': '1',
  'transaction.state.log.num.partitions': '3',
  'transaction.state.log.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'group.initial.rebalance.delay.ms': '0',
  'controlled.shutdown.enable': 'false',
  'auto.create.topics.enable': 'true',
  'delete.topic.enable': 'true',
};

/** Writes DIRECTORY/zookeeper-N.properties for each server, with its data folder. N counts from 1. */
export async function writeZookeeperFiles(
  directory: string,
  servers: readonly ZookeeperPorts[],
  overrides: Readonly<Record<string, string>>,
  route: QuorumRoute = (_from, _to, ports) => Promise.resolve(ports),
): Promise<void> {
  for (const [index, { client }] of servers.entries()) {
    const number = index + 1;
    const ensemble = await Promise.all(
      servers.map(async (ports, other) => {
        const { quorum, election } = index === other ? ports : await route(number, other + 1, ports);
        return [`server.${other + 1}`, `${HOST}:${quorum}:${election}`] as const;
      }),
    );
    const dataDir = path.join(directory, `zookeeper-${number}`);
    await mkdir(dataDir, { recursive: true });
    await writeFile(path.join(dataDir, 'myid'), String(number));
    await writeProperties(path.join(directory, `zookeeper-${number}.properties`), {
      ...ZOOKEEPER_DEFAULTS,
      dataDir,
      clientPort: String(client),
      ...(servers.length > 1 ? Object.fromEntries(ensemble) : {}),
      ...overrides,
    });
  }
}

/** Writes DIRECTORY/broker-ID.properties. */
export async function writeBrokerFile(
  directory: string,
  kafka: string,
  { id, host, port }: BrokerAddress,
  zookeeperConnect: string,
  overrides: Readonly<Record<string, string>>,
): Promise<void> {
  const address: Record<string, string> = kafka.startsWith('0.8.')
    ? { 'host.name': host, port: String(port) }
    : { listeners: `PLAINTEXT://${host}:${port}` };
  await writeProperties(path.join(directory, `broker-${id}.properties`), {
    ...BROKER_DEFAULTS,
    ...address,
    'broker.id': String(id),
    'log.dirs': path.join(directory, `broker-${id}`),
    'zookeeper.connect': zookeeperConnect,
    ...overrides,
  });
}

/** Writes DIRECTORY/broker-ID.properties for a broker that is its own controller. */
export async function writeKraftFile(
  directory: string,
  { id, host, port }: BrokerAddress,
  controllerPort: number,
): Promise<void> {
  await writeProperties(path.join(directory, `broker-${id}.properties`), {
    ...BROKER_DEFAULTS,
    'process.roles': 'broker,controller',
    'node.id': String(id),
    'controller.quorum.voters': `${id}@${host}:${controllerPort}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    listeners: `PLAINTEXT://${host}:${port},CONTROLLER://${host}:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://${host}:${port}`,
    'log.dirs': path.join(directory, `broker-${id}`),
  });
}

async function writeProperties(file: string, properties: Readonly<Record<string, string>>): Promise<void> {
  const lines = Object.entries(properties).map(
    ([name, value]) => `${name}=${value.replaceAll('\\', '\\\\')}`,
  );
  await writeFile(file, `${lines.join('\n')}\n`);
}
