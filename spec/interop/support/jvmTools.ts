import { runJavaMain } from '../../support/clients/javaMain';

/** A line of the table that ConsumerOffsetChecker prints. */
export interface CheckedOffset {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly logSize: number;
  readonly lag: number;
  /** Thread id, or "none". */
  readonly owner: string;
}

/** The partitions of a group as the tool of 0.8.2.2 shows them. */
export async function checkOffsets(zookeeperConnect: string, group: string): Promise<CheckedOffset[]> {
  const args = ['--zookeeper', zookeeperConnect, '--group', group];
  const { stdout, stderr } = await runJavaMain('0.8.2.2', 'kafka.tools.ConsumerOffsetChecker', args);
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  const header = lines.findIndex((fields) => fields.join(' ') === 'Group Topic Pid Offset logSize Lag Owner');
  if (header < 0) throw new Error(`There is no table in:\n${stdout}${stderr}`);
  return lines
    .slice(header + 1)
    .filter((fields) => fields[0] === group)
    .map(([, topic = '', partition, offset, logSize, lag, owner = '']) => ({
      ...{ topic, partition: Number(partition), offset: Number(offset), logSize: Number(logSize) },
      ...{ lag: Number(lag), owner },
    }));
}

/** What the tool of 0.10.2.2 says; those before it call every group a failure. */
export async function verifyRebalance(
  zookeeperConnect: string,
  group: string,
): Promise<'successful' | 'failed'> {
  const args = ['--zookeeper.connect', zookeeperConnect, '--group', group];
  const { stdout, stderr } = await runJavaMain('0.10.2.2', 'kafka.tools.VerifyConsumerRebalance', args);
  const verdict = /^Rebalance operation (successful|failed) !$/m.exec(stdout)?.[1];
  if (verdict !== 'successful' && verdict !== 'failed') throw new Error(`No verdict in:\n${stdout}${stderr}`);
  return verdict;
}

/** Writes the offsets that a group has in ZooKeeper into a file, in lines "path:offset". */
export async function exportOffsets(zookeeperConnect: string, group: string, file: string): Promise<void> {
  const args = ['--zkconnect', zookeeperConnect, '--group', group, '--output-file', file];
  await runJavaMain('0.8.2.2', 'kafka.tools.ExportZkOffsets', args);
}

/** Writes the offsets of such a file into ZooKeeper. */
export async function importOffsets(zookeeperConnect: string, file: string): Promise<void> {
  await runJavaMain('0.8.2.2', 'kafka.tools.ImportZkOffsets', [
    ...['--zkconnect', zookeeperConnect, '--input-file', file],
  ]);
}

/** Sets the offsets of a topic to the beginnings of its logs, for the group that the properties file names. */
export async function resetOffsets(propertiesFile: string, topic: string): Promise<string> {
  const args = ['earliest', propertiesFile, topic];
  const { stdout } = await runJavaMain('0.8.2.2', 'kafka.tools.UpdateOffsetsInZK', args);
  return stdout;
}
