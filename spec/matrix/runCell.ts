import { RealCluster } from '../support/cluster/RealCluster';
import { CLIENT_IDS } from './CellGroup';
import { CellScene } from './CellScene';
import { FetchTaps } from './FetchTaps';
import { play } from './play';
import { codecsOf, versionsIn } from './releases';
import type { CellFindings } from './results';
import { jarVersions, zookeeperVersion } from './versions';

const BROKERS = 2;
const CHROOT = '/matrix/cell';
/**
 * A broker that is gone does not hold up for long what is produced; one that has not got everything never leads; and leaders move
 * only when the matrix wants it.
 */
const BROKER = {
  'replica.lag.time.max.ms': '3000',
  'unclean.leader.election.enable': 'false',
  'auto.leader.rebalance.enable': 'false',
};

/** Runs a group against a real cluster of one release. Whatever goes wrong is in the findings' errors. */
export async function runCell(
  release: string,
  say: (text: string) => void = () => undefined,
): Promise<CellFindings> {
  const startedMs = performance.now();
  const { kafka } = versionsIn(release);
  let step = 'start of the cluster';
  const next = (text: string): void => say((step = text));
  const errors: string[] = [];
  const failed = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    say(text);
    errors.push(`${step}: ${text.split('\n')[0] ?? ''}`);
  };
  let findings: Omit<CellFindings, 'durationMs'> = nothing(release);
  try {
    await using taps = new FetchTaps(kafka, CLIENT_IDS);
    const brokerProperties: typeof taps.advertise = async (broker) => ({
      ...BROKER,
      ...(await taps.advertise(broker)),
    });
    await using cluster = await RealCluster.start({
      ...{ kafka: release, brokers: BROKERS, chroot: CHROOT, brokerProperties },
    });
    findings = {
      ...findings,
      ...(await jarVersions(release)),
      zookeeper: await zookeeperVersion(cluster.zookeeperServers[0]),
    };
    next('start of the producers');
    await using scene = await CellScene.on(cluster, codecsOf(kafka), taps);
    await play(scene, next).catch(failed);
    findings = { ...findings, ...scene.findings() };
  } catch (error) {
    failed(error);
  }
  const durationMs = Math.round(performance.now() - startedMs);
  return { ...findings, errors: [...errors, ...findings.errors], durationMs };
}

function nothing(release: string): Omit<CellFindings, 'durationMs'> {
  return {
    ...{ release, kafka: '', zookeeper: '', producer: '', codecs: {}, jvmDelivered: 0 },
    repeated: { sessionLost: 0, memberKilled: 0, jvmMember: 0 },
    ...{ rebalances: 0, errors: [] },
  };
}
