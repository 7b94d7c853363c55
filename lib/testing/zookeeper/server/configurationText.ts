import { tmpdir } from 'node:os';

import { FULL_VERSIONS } from '../ZookeeperRelease';
import type { EnsembleServer } from './EnsembleServer';

/** The answer to `conf`. */
export function configurationText(server: EnsembleServer): string {
  const { database, address, limits, mode, number } = server;
  const isNewer = database.release === '3.8';
  const lines = [
    `clientPort=${address.port}`,
    ...(isNewer ? ['secureClientPort=-1'] : []),
    'dataDir=',
    ...(isNewer ? ['dataDirSize=0'] : []),
    'dataLogDir=',
    ...(isNewer ? ['dataLogSize=0'] : []),
    `tickTime=${limits.tickTimeMs}`,
    'maxClientCnxns=0',
    `minSessionTimeout=${limits.minSessionTimeoutMs}`,
    `maxSessionTimeout=${limits.maxSessionTimeoutMs}`,
    ...(isNewer ? ['clientPortListenBacklog=-1'] : []),
    `serverId=${mode === 'standalone' ? 0 : number}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The answer to `envi`, as far as there is anything to tell without Java. */
export function environmentText({ database }: EnsembleServer): string {
  const lines = [
    'Environment:',
    `zookeeper.version=${FULL_VERSIONS[database.release]}`,
    'host.name=localhost',
    `java.io.tmpdir=${tmpdir()}`,
    `os.name=${process.platform}`,
    `os.arch=${process.arch}`,
    `user.dir=${process.cwd()}`,
  ];
  return `${lines.join('\n')}\n`;
}
