/** Which ZooKeeper is played: 3.4.6 or 3.8.4. */
export type ZookeeperRelease = '3.4' | '3.8';

/** As the servers write it in their answers to commands such as `srvr`. */
export const FULL_VERSIONS: Readonly<Record<ZookeeperRelease, string>> = {
  '3.4': '3.4.6-1569965, built on 02/20/2014 09:09 GMT',
  '3.8': '3.8.4-9316c2a7a97e1666d8f4593f34dd6fc36ecc436c, built on 2024-02-12 22:16 UTC',
};
