import { EmbeddedNetwork } from '../../../../../lib/testing/network/EmbeddedNetwork';
import {
  ZookeeperEnsemble,
  type ZookeeperEnsembleOptions,
} from '../../../../../lib/testing/zookeeper/ZookeeperEnsemble';
import { RawClient, type ConnectAnswer, type ConnectOptions } from './RawClient';

/** An ensemble with what connects to it; all of it ends together. */
export class TestEnsemble implements AsyncDisposable {
  readonly network = new EmbeddedNetwork(1);
  readonly ensemble: ZookeeperEnsemble;
  readonly #clients: RawClient[] = [];

  private constructor(options: Partial<ZookeeperEnsembleOptions>) {
    this.ensemble = new ZookeeperEnsemble({ network: this.network, release: '3.8', ...options });
  }

  static async start(options: Partial<ZookeeperEnsembleOptions> = {}): Promise<TestEnsemble> {
    const started = new TestEnsemble(options);
    await started.ensemble.start();
    return started;
  }

  /** A client with a session at server `number`, from 1. */
  async client(number = 1, options: ConnectOptions = {}): Promise<RawClient> {
    return (await this.connect(number, options)).client;
  }

  async connect(
    number = 1,
    options: ConnectOptions = {},
  ): Promise<{ readonly client: RawClient; readonly connected: ConnectAnswer }> {
    const made = await RawClient.open(this.ensemble.servers[number - 1], options);
    this.#clients.push(made.client);
    return made;
  }

  /** A connection over which nothing has been said. */
  async connection(number = 1): Promise<RawClient> {
    const made = await RawClient.connect(this.ensemble.servers[number - 1]);
    this.#clients.push(made);
    return made;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.disconnect()));
    await this.ensemble.stop();
  }
}
