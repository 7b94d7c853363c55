import type { RealCluster } from '../support/cluster/RealCluster';
import { JvmMember } from '../support/jvm/JvmMember';
import { Producer } from '../support/produce/Producer';
import { deliveredCount, faultsOf, type SentPartition } from './accounting';
import { CellGroup, complaintsOf, rebalancesOf } from './CellGroup';
import { CodecLoad } from './CodecLoad';
import type { FetchTaps } from './FetchTaps';
import type { Codec } from './releases';
import { RepeatedMessages } from './RepeatedMessages';
import type { CellFindings, CodecResult } from './results';

/** Of each topic: two for each of two members. */
const PARTITIONS = 4;

/** Everything that takes part in one cell: a cluster, a producer for each codec, and the group that reads. */
export class CellScene implements AsyncDisposable {
  readonly cluster: RealCluster;
  readonly loads: readonly CodecLoad[];
  readonly group: CellGroup;
  readonly repeated: RepeatedMessages;
  readonly #taps: FetchTaps;
  /** What the accounts say. */
  #faults: readonly string[] = ['the messages were not accounted for'];

  private constructor(cluster: RealCluster, loads: readonly CodecLoad[], group: CellGroup, taps: FetchTaps) {
    this.cluster = cluster;
    this.loads = loads;
    this.group = group;
    this.#taps = taps;
    this.repeated = new RepeatedMessages(cluster, group.name, partitionsOf(loads));
  }

  /** Makes the topics and starts the producers, which send nothing yet. */
  static async on(cluster: RealCluster, codecs: readonly Codec[], taps: FetchTaps): Promise<CellScene> {
    const loads: CodecLoad[] = [];
    try {
      for (const codec of codecs) loads.push(await CodecLoad.create(cluster, taps.doors, codec, PARTITIONS));
      const group = await CellGroup.of(cluster, partitionsOf(loads));
      return new CellScene(cluster, loads, group, taps);
    } catch (error) {
      await Promise.all(loads.map((load) => load[Symbol.asyncDispose]()));
      throw error;
    }
  }

  async stopBroker(id: number): Promise<void> {
    await this.cluster.stopBroker(id);
    this.#taps.hangUp(id);
  }

  /** The ends of all logs, by "topic/partition". */
  async ends(): Promise<Map<string, number>> {
    await using asking = new Producer({ brokers: this.cluster.brokers });
    const ends = new Map<string, number>();
    for (const { topic, partition } of partitionsOf(this.loads)) {
      ends.set(`${topic}/${partition}`, await asking.offset(topic, partition));
    }
    return ends;
  }

  /** Compares what was delivered with what was sent; `ends` are those of the logs, with nothing sent any more. */
  account(ends: ReadonlyMap<string, number>): void {
    const sent: SentPartition[] = this.loads.flatMap((load) =>
      load.partitions.map((partition) => ({
        ...{ topic: load.topic, partition, values: load.valuesOf(partition) },
        endOffset: ends.get(`${load.topic}/${partition}`) ?? 0,
      })),
    );
    this.#faults = faultsOf(sent, this.group.members);
  }

  /** Everybody has been handed everything that is in the logs. */
  hasAll(ends: ReadonlyMap<string, number>): boolean {
    const next = new Map<string, number>();
    for (const { topic, partition, offset } of this.group.members.flatMap(({ messages }) => messages)) {
      const at = `${topic}/${partition}`;
      next.set(at, Math.max(next.get(at) ?? 0, offset + 1));
    }
    return [...ends].every(([at, end]) => next.get(at) === end);
  }

  findings(): Pick<CellFindings, 'codecs' | 'jvmDelivered' | 'repeated' | 'rebalances' | 'errors'> {
    const { members } = this.group;
    const jvms = members.filter((member) => member instanceof JvmMember);
    const codecs = Object.fromEntries(this.loads.map((load) => [load.codec, this.#resultOf(load)]));
    return {
      codecs,
      jvmDelivered: jvms.reduce((sum, { messages }) => sum + messages.length, 0),
      repeated: this.repeated.counts,
      rebalances: rebalancesOf(members),
      errors: [
        ...complaintsOf(members),
        ...this.#faults,
        ...this.repeated.errors,
        ...this.#taps.errors,
        ...this.loads.flatMap((load) => [...load.errors, ...this.#strangeCodecs(load)]),
      ],
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.loads.map((load) => load[Symbol.asyncDispose]()));
    await this.repeated[Symbol.asyncDispose]();
    await this.group[Symbol.asyncDispose]();
  }

  #resultOf(load: CodecLoad): CodecResult {
    const { versions, formats } = this.#taps.sightsOf(load.topic);
    const values = load.partitions.flatMap((partition) => load.valuesOf(partition));
    return {
      produced: values.length,
      delivered: deliveredCount(load.topic, values, this.group.members),
      format: [...formats].sort().join(', '),
      fetch: [...versions]
        .sort((a, b) => a - b)
        .map((version) => `v${version}`)
        .join(', '),
    };
  }

  /** What came has to be compressed as it was sent. */
  #strangeCodecs({ topic, codec }: CodecLoad): string[] {
    const strange = [...this.#taps.sightsOf(topic).codecs].filter((one) => one !== codec);
    return strange.map((one) => `messages of ${topic} came with the codec ${one}`);
  }
}

function partitionsOf(loads: readonly CodecLoad[]): { topic: string; partition: number }[] {
  return loads.flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })));
}
