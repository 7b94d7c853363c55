import { EmbeddedCluster } from '../../../lib/testing/EmbeddedCluster';
import type { Release } from './releases';
import { BROKERS, BROKER_PROPERTIES, type Side } from './Side';

/** Below which brokers of real clusters have their nodes, too. */
const CHROOT = '/kafka';

export function startEmbedded({ generation }: Release): Promise<Side> {
  return EmbeddedCluster.start({
    kafka: generation,
    brokers: BROKERS,
    chroot: CHROOT,
    brokerProperties: BROKER_PROPERTIES,
  });
}
