import type { LocalSession } from '../zookeeper/LocalSession';
import { writeControllerNode } from './brokerRegistration';
import { Controller, type ControlledCluster } from './Controller';

/** What a broker is to those who look for a controller. */
interface Candidate {
  readonly id: number;
  /** Null while it is stopped. */
  readonly session: LocalSession | null;
}

/** Sees to it that one of the brokers that run is the controller: the one with the lowest id, if there was none. */
export class ControllerOffice {
  readonly #candidates: readonly Candidate[];
  readonly #cluster: ControlledCluster;
  #controller: Controller | null = null;
  #isSettlingSoon = false;

  /** @param candidates - all brokers, in the order of their ids */
  constructor(candidates: readonly Candidate[], cluster: ControlledCluster) {
    this.#candidates = candidates;
    this.#cluster = cluster;
  }

  /** -1 while there is none. */
  get controllerId(): number {
    return this.#controller?.isInOffice === true ? this.#controller.brokerId : -1;
  }

  /** @throws Error while no broker runs */
  get controller(): Controller {
    this.settle();
    if (this.#controller === null) throw new Error('no broker runs');
    return this.#controller;
  }

  /** Elects a controller if there is none, and lets it do what is to be done. */
  settle(): void {
    const session = this.#running()[0]?.session;
    if (session === undefined) {
      this.retire();
      return;
    }
    if (this.#controller?.isInOffice !== true || session.get('/controller') === null) this.#elect();
    this.#controller?.catchUp();
  }

  /** The same, behind the change of which ZooKeeper is just telling: it may be one of several. */
  settleSoon(): void {
    if (this.#isSettlingSoon) return;
    this.#isSettlingSoon = true;
    void Promise.resolve().then(() => {
      this.#isSettlingSoon = false;
      try {
        this.settle();
      } catch (error) {
        this.#cluster.onFault(error);
      }
    });
  }

  retire(): void {
    this.#controller?.stop();
    this.#controller = null;
  }

  #elect(): void {
    this.retire();
    const [first] = this.#running();
    // Somebody else may have written himself into the node.
    if (first === undefined || first.session.get('/controller') !== null) return;
    const { id, session } = first;
    const data = writeControllerNode(id, this.#cluster.generation, Date.now());
    session.create('/controller', data, { ephemeral: true });
    this.#controller = new Controller(id, session, this.#cluster, () => this.settleSoon());
  }

  #running(): readonly { readonly id: number; readonly session: LocalSession }[] {
    return this.#candidates.flatMap(({ id, session }) => (session?.isOpen === true ? [{ id, session }] : []));
  }
}
