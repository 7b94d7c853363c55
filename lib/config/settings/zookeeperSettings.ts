import { parseConnectString } from '../../zookeeper/connectString';
import { faultOf } from '../parseFault';
import type { Settings } from '../settingTypes';
import { parseZookeeperAuth } from '../zookeeperAuth';

/** How ZooKeeper is reached, and what is written there. */
export const ZOOKEEPER_SETTINGS = {
  'zookeeper.connect': {
    type: 'string',
    default: 'required',
    secretWithAt: true,
    expected: 'host1:port1,host2:port2/chroot',
    fault: faultOf(parseConnectString),
    doc: 'ZooKeeper servers, separated by commas, with an optional chroot once at the end. The port is 2181 if none is given.',
    source: 'kafka.utils.ZKConfig',
  },
  'zookeeper.session.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: 6000,
    min: 1,
    doc: 'A member that ZooKeeper does not hear from for so long is dead. The server may shorten or lengthen it.',
    source: 'kafka.utils.ZKConfig',
  },
  'zookeeper.connection.timeout.ms': {
    type: 'int',
    unit: 'ms',
    default: { from: 'zookeeper.session.timeout.ms' },
    min: 1,
    doc: 'How long to wait for the first connection to ZooKeeper.',
    source: 'kafka.utils.ZKConfig',
  },
  'zookeeper.sync.time.ms': {
    type: 'int',
    unit: 'ms',
    default: 2000,
    min: 0,
    doc: 'How far a ZooKeeper follower may be behind its leader. Its only use is the default of `rebalance.backoff.ms`.',
    source: 'kafka.utils.ZKConfig',
  },
  'zookeeper.auth': {
    type: 'string',
    default: 'none',
    secret: true,
    expected: 'digest:user:password',
    fault: faultOf(parseZookeeperAuth),
    doc: 'Credentials for the nodes of ZooKeeper whose ACL asks for some, with the scheme in front: digest is the only one. The password may have colons.',
    source: 'this package',
  },
  'zookeeper.set.acl': {
    type: 'boolean',
    default: false,
    doc: 'Whether the nodes that this member creates get the ACL "all for the creator, read for the world", which is what brokers with this property write, so that nobody without the credentials of `zookeeper.auth` can change them. All members of the group then need the same credentials.',
    source: 'kafka.server.KafkaConfig',
  },
} as const satisfies Settings;
