import { TcpProxy, type Direction } from '../TcpProxy';
import { HOST, type QuorumRoute } from './clusterFiles';

/** The two ways from one ZooKeeper server to another. */
interface Route {
  /** A follower's connection to its leader. */
  readonly quorum: TcpProxy;
  /** Votes; the sides of this connection say nothing about who leads. */
  readonly election: TcpProxy;
}

/**
 * The network between the servers of an ensemble: one proxy for each way from one server to another. A follower can be cut from its
 * leader here while clients still reach it.
 */
export class QuorumProxies implements AsyncDisposable {
  /** By "from>to". */
  readonly #routes = new Map<string, Route>();

  /** The option `quorumRoute` of a cluster. */
  readonly route: QuorumRoute = async (from, to, { client, quorum, election }) => {
    // A cluster that found a port taken starts once more, on other ports.
    await this.#dispose(`${from}>${to}`);
    const route = {
      quorum: await TcpProxy.to({ host: HOST, port: quorum }),
      election: await TcpProxy.to({ host: HOST, port: election }),
    };
    this.#routes.set(`${from}>${to}`, route);
    return { client, quorum: route.quorum.port, election: route.election.port };
  };

  /**
   * From now on nothing gets from the follower to its leader ('requests'), from the leader to the follower ('answers'), or either
   * way; no connection is closed. Votes are silenced in both directions in any case, so that the follower stays away.
   */
  silence(follower: number, leader: number, direction: Direction): void {
    this.#routes.get(`${follower}>${leader}`)?.quorum.blackHole(direction);
    for (const { election } of this.#between(follower, leader)) election.blackHole();
  }

  heal(): void {
    for (const { quorum, election } of this.#routes.values()) {
      quorum.heal();
      election.heal();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#routes.keys()].map((name) => this.#dispose(name)));
  }

  #between(one: number, other: number): Route[] {
    const routes = [this.#routes.get(`${one}>${other}`), this.#routes.get(`${other}>${one}`)];
    return routes.filter((route) => route !== undefined);
  }

  async #dispose(name: string): Promise<void> {
    const route = this.#routes.get(name);
    this.#routes.delete(name);
    await route?.quorum[Symbol.asyncDispose]();
    await route?.election[Symbol.asyncDispose]();
  }
}
