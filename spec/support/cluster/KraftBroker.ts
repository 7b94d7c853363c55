import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { BrokerConnection } from '../produce/BrokerConnection';
import { ByteWriter } from '../produce/bytes';
import type { Request } from '../produce/requests';
import { waitFor } from '../waitFor';
import { HOST, writeKraftFile, type BrokerAddress } from './clusterFiles';
import { ClusterProcess } from './ClusterProcess';
import { freePorts, startOnFreePorts } from './freePorts';
import { whatTopicLacks } from './topics';

const TOPIC_LIMIT_MS = 30_000;

/** A whole cluster without ZooKeeper: one broker that is its own controller, in a JVM that ends with this process. */
export class KraftBroker implements AsyncDisposable {
  readonly address: BrokerAddress;
  readonly #directory: string;
  readonly #process: ClusterProcess;

  private constructor(address: BrokerAddress, directory: string, process: ClusterProcess) {
    this.address = address;
    this.#directory = directory;
    this.#process = process;
  }

  /** `kafka` as in RealClusterOptions, from 3.3 on. */
  static start(kafka: string): Promise<KraftBroker> {
    return startOnFreePorts(() => KraftBroker.#startOnce(kafka));
  }

  static async #startOnce(kafka: string): Promise<KraftBroker> {
    const classpath = await ClusterProcess.prepare(kafka);
    const directory = await mkdtemp(path.join(tmpdir(), 'kraft-'));
    try {
      const [port = 0, controllerPort = 0] = await freePorts(2);
      const address = { id: 1, host: HOST, port };
      await writeKraftFile(directory, address, controllerPort);
      const process = await ClusterProcess.start(classpath, directory);
      try {
        await process.startBrokers();
        return new KraftBroker(address, directory, process);
      } catch (error) {
        await process.stop();
        throw error;
      }
    } catch (error) {
      await rm(directory, { recursive: true, force: true });
      throw error;
    }
  }

  /** Resolves when the topic can be written to and read. */
  async createTopic(topic: string, partitions: number): Promise<void> {
    const connection = new BrokerConnection(this.address, { timeoutMs: TOPIC_LIMIT_MS });
    try {
      const errorCode = await connection.ask(createTopicRequest(topic, partitions, TOPIC_LIMIT_MS));
      if (errorCode !== 0) throw new Error(`The broker answers for the new topic with error ${errorCode}`);
    } finally {
      connection.close();
    }
    let lack: string | null = null;
    await waitFor(
      async () => {
        lack = await whatTopicLacks([this.address], topic, partitions);
        if (lack !== null) throw new Error(lack);
        return true;
      },
      {
        timeoutMs: TOPIC_LIMIT_MS,
        description: `topic ${topic} with ${partitions} partitions`,
        details: () => this.#process.logTail(),
      },
    );
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    await rm(this.#directory, { recursive: true, force: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Answers with the error code. One replica per partition, no settings. */
function createTopicRequest(topic: string, partitions: number, timeoutMs: number): Request<number> {
  const body = new ByteWriter().int32(1).string(topic).int32(partitions).int16(1);
  body.int32(0).int32(0).int32(timeoutMs); // no assignment, no settings
  return {
    ...{ apiKey: 19, apiVersion: 0, body: body.toBuffer() },
    read: (answer) => {
      answer.int32(); // one topic
      answer.string();
      return answer.int16();
    },
  };
}
