import { SUPER } from './acl/access';
import { OPEN } from './acl/AccessEntry';
import type { Database } from './Database';
import type { LocalNode, LocalSession, TreeChange } from './LocalSession';
import { createRequest, FLAGS } from './requests/createRequest';
import { deleteRequest } from './requests/deleteRequest';
import { setDataRequest } from './requests/setDataRequest';
import type { WriteRequest } from './requests/WriteRequest';
import type { Session } from './sessions/Session';
import { ZookeeperFault } from './ZookeeperFault';

/** A session within the process; access lists do not hold it up. */
export class EmbeddedLocalSession implements LocalSession {
  readonly #database: Database;
  readonly #session: Session;
  readonly #chroot: string;
  readonly #expiryListeners = new Set<() => void>();
  #isOpen = true;

  /** @param chroot - such as "/kafka", or "" for none */
  constructor(database: Database, session: Session, chroot: string) {
    this.#database = database;
    this.#session = session;
    this.#chroot = chroot;
    session.onExpired = () => {
      this.#isOpen = false;
      for (const listener of [...this.#expiryListeners]) listener();
    };
  }

  get id(): string {
    return this.#session.idText;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  create(
    path: string,
    data: Buffer | string,
    { ephemeral = false }: { readonly ephemeral?: boolean } = {},
  ): void {
    const flags = ephemeral ? FLAGS.ephemeral : FLAGS.persistent;
    this.#write(createRequest({ path: this.#full(path), data: Buffer.from(data), acl: OPEN, flags }));
  }

  mkdirp(path: string): void {
    const names = this.#full(path).split('/').slice(1);
    for (let depth = 1; depth <= names.length; depth += 1) {
      const prefix = `/${names.slice(0, depth).join('/')}`;
      if (this.#database.tree.find(prefix) !== undefined) continue;
      this.#write(createRequest({ path: prefix, data: Buffer.alloc(0), acl: OPEN, flags: FLAGS.persistent }));
    }
  }

  set(path: string, data: Buffer | string, version = -1): void {
    this.#write(setDataRequest(this.#full(path), Buffer.from(data), version));
  }

  delete(path: string, version = -1): void {
    this.#write(deleteRequest(this.#full(path), version));
  }

  get(path: string): LocalNode | null {
    this.#requireOpen();
    const node = this.#database.tree.find(this.#full(path));
    if (node === undefined) return null;
    return { ...node.stat(), data: node.data ?? Buffer.alloc(0) };
  }

  children(path: string): readonly string[] | null {
    this.#requireOpen();
    const node = this.#database.tree.find(this.#full(path));
    return node === undefined ? null : [...node.children].sort();
  }

  onChange(listener: (change: TreeChange) => void): () => void {
    return this.#database.changes.subscribe((change) => {
      const path = this.#below(change.path);
      if (path !== null && this.#isOpen) listener({ ...change, path });
    });
  }

  onExpired(listener: () => void): () => void {
    this.#expiryListeners.add(listener);
    return () => this.#expiryListeners.delete(listener);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#session.onExpired = null;
    this.#database.closeSession(this.#session);
    this.#database.changes.tell();
  }

  #write(request: WriteRequest): void {
    this.#requireOpen();
    this.#database.write({ sessionId: this.#session.id, ids: [SUPER], hasMoved: false }, request, null);
    this.#database.changes.tell();
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw new ZookeeperFault('SESSION_EXPIRED', this.id);
  }

  #full(path: string): string {
    if (this.#chroot === '') return path;
    return path === '/' ? this.#chroot : `${this.#chroot}${path}`;
  }

  /** The path as this session sees it; null for what it does not see. */
  #below(path: string): string | null {
    if (this.#chroot === '') return path;
    if (path === this.#chroot) return '/';
    return path.startsWith(`${this.#chroot}/`) ? path.slice(this.#chroot.length) : null;
  }
}
