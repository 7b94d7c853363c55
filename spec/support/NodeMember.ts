import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import path from 'node:path';
import { createInterface } from 'node:readline';

import type { ConnectorConfig, ConnectorEvents } from '../../lib';
import type { MemberProcessLine, MemberProcessOptions } from './memberProcess';
import { subscriptionOf, type MemberSubscription } from './memberSubscription';
import { waitFor, withDeadline } from './waitFor';

const ROOT = path.resolve(__dirname, '../..');
const SCRIPT = path.join(__dirname, 'memberProcess.ts');
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 30_000;

/** Commits of its own accord come too seldom to hide a fault: what a rebalance or shutdown forgets is seen. */
const DEFAULTS = {
  'zookeeper.session.timeout.ms': '4000',
  'zookeeper.connection.timeout.ms': '15000',
  'rebalance.backoff.ms': '500',
  'auto.offset.reset': 'smallest',
  'auto.commit.interval.ms': '600000',
} as const;

export type NodeMemberOptions = MemberSubscription & {
  readonly zookeeperConnect: string;
  readonly group: string;
  /** Settings of the connector, such as "consumer.id". */
  readonly properties?: Partial<ConnectorConfig>;
};

export interface NodeMessage {
  readonly threadId: string;
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly key: string | null;
  readonly value: string | null;
  /** `performance.now()` of this process, when it was read. */
  readonly readMs: number;
}

export interface NodeMemberEvent<E extends keyof ConnectorEvents = keyof ConnectorEvents> {
  readonly event: E;
  readonly payload: ConnectorEvents[E];
  readonly readMs: number;
}

let started = 0;

/** The connector under test as a member of a group, in a process of its own that can be killed. */
export class NodeMember implements AsyncDisposable {
  /** In the order in which they were handed out. */
  readonly messages: NodeMessage[] = [];
  /** In the order in which they came. */
  readonly events: NodeMemberEvent[] = [];
  readonly errors: { readonly code: string | null; readonly message: string }[] = [];
  /** "group_consumer.id", as in /consumers/G/ids. */
  readonly consumerId: string;
  readonly #child: ChildProcessWithoutNullStreams;
  /** Resolves when the process is gone and its output is read; says how it ended. */
  readonly #exited: Promise<string>;
  /** Last lines of stderr. */
  readonly #log: string[] = [];
  /** While paused: the process that waits for the end of this one. */
  #guard: ChildProcess | null = null;
  #owned: ReadonlyMap<string, string> = new Map();
  #isStarted = false;
  /** `performance.now()` when it said that its shutdown was over. */
  #closedMs: number | null = null;
  /** How it ended, once it has. */
  #end: string | null = null;

  private constructor(options: MemberProcessOptions, consumerId: string) {
    this.consumerId = consumerId;
    const args = ['--import', 'tsx', SCRIPT, JSON.stringify(options)];
    this.#child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'pipe' });
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      this.#log.push(line);
      if (this.#log.length > 200) this.#log.shift();
    });
    // Written to after its end; `exited` tells about that end.
    this.#child.stdin.on('error', () => undefined);
    this.#exited = new Promise((resolve) => {
      this.#child.on('close', (code, signal) => {
        this.#end = signal === null ? `exit code ${String(code)}` : `signal ${signal}`;
        resolve(this.#end);
      });
    });
  }

  /** Starts the process and waits for nothing. */
  static spawn(options: NodeMemberOptions): NodeMember {
    const { zookeeperConnect, group, properties = {} } = options;
    const config = {
      ...DEFAULTS,
      'zookeeper.connect': zookeeperConnect,
      'group.id': group,
      'consumer.id': `node-${process.pid}-${++started}`,
      ...properties,
    };
    return new NodeMember({ config, ...subscriptionOf(options) }, `${group}_${config['consumer.id']}`);
  }

  /** Resolves when the member has its streams. */
  static async start(options: NodeMemberOptions): Promise<NodeMember> {
    const member = NodeMember.spawn(options);
    try {
      await waitFor(() => member.hasExited || member.errors.length > 0 || member.#isStarted, {
        timeoutMs: START_LIMIT_MS,
        description: 'start of the member',
        details: () => member.log,
      });
      if (!member.#isStarted) throw new Error(`The member did not start. ${member.log}`);
      return member;
    } catch (error) {
      await member.kill();
      throw error;
    }
  }

  /** Thread id by "topic/partition", as it said last. */
  get owned(): ReadonlyMap<string, string> {
    return this.#owned;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get hasExited(): boolean {
    return this.#end !== null;
  }

  /** How the process ended; null while it runs. */
  get end(): string | null {
    return this.#end;
  }

  /** Its errors, last events and last lines of stderr, for error messages. */
  get log(): string {
    const state = this.#end === null ? 'running' : `ended with ${this.#end}`;
    const events = this.events.slice(-12).map((event) => JSON.stringify(event));
    const errors = this.errors.map((error) => JSON.stringify(error));
    return [`Member ${this.consumerId} (${state}):`, ...errors, ...events, ...this.#log.slice(-20)].join(
      '\n',
    );
  }

  eventsOf<E extends keyof ConnectorEvents>(event: E): ConnectorEvents[E][] {
    return this.events
      .filter((one) => one.event === event)
      .map(({ payload }) => payload as ConnectorEvents[E]);
  }

  /** Rebalances that went through all their steps. */
  get rebalances(): number {
    return this.eventsOf('rebalance:finished').filter(({ changed }) => changed).length;
  }

  /** Shuts the connector down and waits for the process to end by itself; resolves with how long that took after. */
  async stop(): Promise<number> {
    if (this.hasExited) throw new Error(`The member has ended before. ${this.log}`);
    this.#child.stdin.write('stop\n');
    try {
      const how = await withDeadline(this.#exited, STOP_LIMIT_MS, 'end of the member');
      if (this.#closedMs === null || how !== 'exit code 0') throw new Error(`It ended with ${how}`);
      return performance.now() - this.#closedMs;
    } catch (error) {
      const { log } = this;
      await this.kill();
      throw new Error(`The member did not stop cleanly. ${log}`, { cause: error });
    }
  }

  /** As a crash: nothing is committed, the session stays until it times out. Also ends a paused one. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }

  /**
   * The process stands still, as a suspended machine. It cannot notice the end of its stdin now, so a shell does that
   * for it and kills it when this process ends before `resume`.
   */
  pause(): void {
    if (this.#guard !== null || this.hasExited) return;
    const guard = spawn('/bin/sh', ['-c', 'read line; kill -KILL "$1"', 'sh', String(this.pid)], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#guard = guard;
    void this.#exited.then(() => guard.kill('SIGKILL'));
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#guard?.kill('SIGKILL');
    this.#guard = null;
    this.#child.kill('SIGCONT');
  }

  /** Does not wait for a clean shutdown, for which the cluster may be gone already. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.hasExited ? Promise.resolve() : this.kill();
  }

  #receive(text: string): void {
    const line = JSON.parse(text) as MemberProcessLine;
    const readMs = performance.now();
    switch (line.line) {
      case 'started':
        this.#isStarted = true;
        break;
      case 'event':
        this.events.push({ event: line.event, payload: line.payload as never, readMs });
        break;
      case 'owned':
        this.#owned = new Map(Object.entries(line.partitions));
        break;
      case 'message': {
        const { threadId, topic, partition, offset, key, value } = line;
        this.messages.push({ threadId, topic, partition, offset, key, value, readMs });
        break;
      }
      case 'error':
        this.errors.push({ code: line.code, message: line.message });
        break;
      case 'closed':
        this.#closedMs = readMs;
        break;
    }
  }
}
