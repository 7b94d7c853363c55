import { createHash } from 'node:crypto';
import { once } from 'node:events';

import zookeeper, { type Client } from 'node-zookeeper-client';

import { withDeadline } from '../waitFor';

const LIMIT_MS = 15_000;

/** "digest user:hash: 31", "world anyone: 1"; permissions are the sum of 1 read, 2 write, 4 create, 8 delete, 16 admin. */
export type AclText = string;

/** Reads and sets the ACLs of nodes, with credentials: newer servers show digests only to those who may change them. */
export class ZookeeperAcls implements AsyncDisposable {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** `credentials` is "user:password". */
  static async connect(connect: string, credentials: string): Promise<ZookeeperAcls> {
    const client = zookeeper.createClient(connect, { sessionTimeout: 10_000, spinDelay: 100, retries: 3 });
    client.addAuthInfo('digest', Buffer.from(credentials));
    const connected = once(client, 'connected');
    client.connect();
    await withDeadline(connected, LIMIT_MS, `connection to ZooKeeper at ${connect}`);
    return new ZookeeperAcls(client);
  }

  /** Sorted. */
  async get(path: string): Promise<AclText[]> {
    const answer = new Promise<AclText[]>((resolve, reject) => {
      this.#client.getACL(path, (error: unknown, acls) => {
        if (error instanceof Error) reject(error);
        // The types name it otherwise.
        else resolve((acls as unknown as { permission: number; id: AclId }[]).map(textOf).sort());
      });
    });
    return withDeadline(answer, LIMIT_MS, `ACL of ${path}`);
  }

  /** All for these credentials, nothing for anybody else. */
  async close(path: string, credentials: string): Promise<void> {
    const [acl, id] = [zookeeper.ACL, new zookeeper.Id('digest', digestOf(credentials))];
    const answer = new Promise<void>((resolve, reject) => {
      this.#client.setACL(path, [new acl(zookeeper.Permission.ALL, id)], (error: unknown) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
    });
    await withDeadline(answer, LIMIT_MS, `set ACL of ${path}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = once(this.#client, 'disconnected');
    this.#client.close();
    await withDeadline(gone, LIMIT_MS, 'end of the ZooKeeper session');
  }
}

interface AclId {
  readonly scheme: string;
  readonly id: string;
}

/** As ZooKeeper's own DigestAuthenticationProvider makes it of "user:password". */
export function digestOf(credentials: string): string {
  const user = credentials.slice(0, credentials.indexOf(':'));
  return `${user}:${createHash('sha1').update(credentials).digest('base64')}`;
}

function textOf({ permission, id: { scheme, id } }: { permission: number; id: AclId }): AclText {
  return `${scheme} ${id}: ${permission}`;
}
