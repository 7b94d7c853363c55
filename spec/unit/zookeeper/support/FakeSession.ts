import type {
  Znode,
  ZnodeKind,
  ZnodeStat,
  ZookeeperSession,
} from '../../../../lib/zookeeper/ZookeeperSession';

type Part = Pick<
  ZookeeperSession,
  | 'id'
  | 'timeoutMs'
  | 'isProved'
  | 'setProofPath'
  | 'exists'
  | 'read'
  | 'children'
  | 'createWithParents'
  | 'write'
  | 'remove'
>;

export const OWN_ID = '0x1';

interface FakeNode {
  readonly data: Buffer;
  readonly owner: string;
}

/** The part of a session that the registry needs, over nodes in memory. `before` may change them in between. */
export class FakeSession implements Part {
  readonly id = OWN_ID;
  readonly timeoutMs = 1_000;
  isProved = true;
  proofPath = '/';
  /** By path; parents are not kept. */
  readonly nodes = new Map<string, FakeNode>();
  /** What was asked, such as "create /a". */
  readonly asked: string[] = [];
  /** Called before each request; a throw is its answer. */
  before: (request: string) => void = () => undefined;
  /** Called behind each request, before its answer. */
  after: (request: string) => void = () => undefined;

  /** For a constructor that wants the real one. */
  get session(): ZookeeperSession {
    return this as Part as ZookeeperSession;
  }

  put(path: string, data: string, owner: string): void {
    this.nodes.set(path, { data: Buffer.from(data), owner });
  }

  setProofPath(path: string): void {
    this.proofPath = path;
  }

  exists(path: string): Promise<ZnodeStat | null> {
    return this.#answer(`exists ${path}`, () => this.#node(path));
  }

  read(path: string): Promise<Znode | null> {
    return this.#answer(`read ${path}`, () => this.#node(path));
  }

  children(path: string): Promise<string[] | null> {
    return this.#answer(`children ${path}`, () => {
      const names = [...this.nodes.keys()].filter((name) => name.startsWith(`${path}/`));
      return names.map((name) => name.slice(path.length + 1));
    });
  }

  createWithParents(path: string, data: Buffer | null, kind: ZnodeKind): Promise<'created' | 'exists'> {
    return this.#answer(`create ${path}`, () => {
      if (this.nodes.has(path)) return 'exists';
      this.put(path, String(data ?? ''), kind === 'ephemeral' ? OWN_ID : '0x0');
      return 'created';
    });
  }

  write(path: string, data: Buffer): Promise<'written' | 'absent'> {
    return this.#answer(`write ${path}`, () => {
      const node = this.nodes.get(path);
      if (node === undefined) return 'absent';
      this.put(path, data.toString(), node.owner);
      return 'written';
    });
  }

  remove(path: string): Promise<'removed' | 'absent'> {
    return this.#answer(`remove ${path}`, () => (this.nodes.delete(path) ? 'removed' : 'absent'));
  }

  #node(path: string): Znode | null {
    const node = this.nodes.get(path);
    return node === undefined ? null : { data: node.data, ephemeralOwner: node.owner, version: 0 };
  }

  async #answer<T>(request: string, work: () => T): Promise<T> {
    this.asked.push(request);
    await Promise.resolve();
    this.before(request);
    const answer = work();
    this.after(request);
    return answer;
  }
}
