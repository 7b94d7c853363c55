import type { TopicPartition } from '../../../lib';
import type { RealCluster } from '../../support/cluster/RealCluster';
import { GroupHistory } from '../../support/GroupHistory';
import { SteadyLoad, type ProducedAt } from '../../support/produce/SteadyLoad';

/** A topic with messages on the way, and with what a group stores and claims of it. */
export class TopicUnderLoad implements AsyncDisposable {
  readonly topic: string;
  readonly partitions: readonly TopicPartition[];
  readonly history: GroupHistory;
  readonly #load: SteadyLoad;

  constructor(cluster: RealCluster, group: string, topic: string, partitions: number) {
    this.topic = topic;
    this.partitions = Array.from({ length: partitions }, (_, partition) => ({ topic, partition }));
    this.history = new GroupHistory(cluster, group, this.partitions);
    this.#load = new SteadyLoad(cluster, topic, partitions);
  }

  /** Everything that was produced. */
  endLoad(): Promise<readonly ProducedAt[]> {
    return this.#load.stop();
  }

  endHistory(): Promise<void> {
    return this.history.stop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled([this.endLoad(), this.endHistory()]);
  }
}
