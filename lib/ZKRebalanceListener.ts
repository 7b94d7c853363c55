import { performance } from 'node:perf_hooks';
import PQueue from 'p-queue';

import { isRefusedFilter } from './assignment/topicPattern';
import type { ResolvedConfig } from './config/configTable';
import type { Consumption } from './Consumption';
import { ConnectorError } from './errors';
import type { Events, RebalanceStep, RebalanceTrigger } from './events';
import type { Connect } from './kafka/metadataFromAnyOf';
import type { Logger } from './logger';
import type { RebalanceCallbacks } from './RebalanceCallbacks';
import { Wakeup } from './Wakeup';
import { withinTime } from './withinTime';
import { GroupMember, type Plan } from './zookeeper/GroupMember';
import type { Subscription } from './zookeeper/registration';
import type { SessionState } from './zookeeper/ZookeeperSession';

/** The longest pause between attempts, when they keep failing. */
const LONGEST_BACKOFF_MS = 30_000;
/** The pause when an owner node in the way is gone already. */
const SHORTEST_BACKOFF_MS = 20;

export interface ZKRebalanceListenerOptions {
  readonly config: ResolvedConfig;
  readonly consumerId: string;
  readonly subscription: Subscription;
  /** To the application's rebalance listener. */
  readonly callbacks: RebalanceCallbacks;
  readonly consumption: Consumption;
  readonly connect: Connect;
  readonly events: Events;
  readonly logger: Logger;
  /** The group can no longer be taken part in; called at most once. */
  readonly onFatal: (error: ConnectorError) => void;
}

/**
 * Keeps this member's partitions in line with the group (Scala's ZKRebalancerListener).
 *
 * Triggers (watches, a new session, the interval) ask for a run; at most one waits, and one runs at a time. A run makes
 * attempts until one succeeds. A session that is lost is replaced, and registered, by the next attempt.
 */
export class ZKRebalanceListener {
  readonly #options: ZKRebalanceListenerOptions;
  /** Runs, one at a time; the last one is `#leave`. */
  readonly #runs = new PQueue({ concurrency: 1 });
  /** Set while a run waits for its turn: another trigger adds nothing. */
  #waiting = false;
  /** This member within its session; null before the first one. */
  #member: GroupMember | null = null;
  /** The inputs of the assignment that is in force. */
  #inputs: string | null = null;
  /** The attempt that runs; resolves with its end, never rejects. */
  #attempt: Promise<void> = Promise.resolve();
  /** What an attempt may have waited for has happened, since it started. */
  #retryNow = new Wakeup();
  /** Ends the wait of the attempt that runs for what the brokers have stored. */
  #ending = new AbortController();
  /** Ends runs and pauses. */
  readonly #closing = new AbortController();
  /** Ends `join`. */
  #joined: { resolve: () => void; reject: (error: ConnectorError) => void } | null = null;

  constructor(options: ZKRebalanceListenerOptions) {
    this.#options = options;
  }

  get sessionState(): SessionState | null {
    return this.#member?.session.state ?? null;
  }

  /** Resolves when no attempt runs; at once for the application's rebalance listener, which an attempt waits for. */
  get attempt(): Promise<void> {
    return this.#options.callbacks.isCaller ? Promise.resolve() : this.#attempt;
  }

  /**
   * Opens a session, registers, and rebalances. Rejects if it cannot register. Resolves after the first rebalance that
   * succeeds, or after `rebalance.max.retries` attempts, while further ones go on.
   */
  async join(): Promise<void> {
    // As a run, so that close() waits for it: nothing is registered behind its back.
    await this.#runs.add(async () => {
      this.#member = await this.#newMember();
    });
    if (this.#isClosing()) throw closedWhileStarting();
    const joined = new Promise<void>((resolve, reject) => (this.#joined = { resolve, reject }));
    this.trigger('created');
    await joined;
  }

  /** Asks for a run, unless one waits already. */
  trigger(trigger: RebalanceTrigger): void {
    this.#retryNow.wake();
    // Before it has joined there is nothing to rebalance, and what fails then fails `join`.
    if (this.#member === null || this.#waiting || this.#isClosing()) return;
    this.#waiting = true;
    void this.#runs.add(() => {
      this.#waiting = false;
      return this.#run(trigger);
    });
  }

  /** Stops, commits, releases, ends the session; bounded, never rejects. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#ending.abort();
    this.#joined?.reject(closedWhileStarting());
    await this.#runs.add(() => this.#leave());
  }

  async #run(trigger: RebalanceTrigger): Promise<void> {
    const { config, events, logger, onFatal } = this.#options;
    for (let attempt = 1; !this.#isClosing(); attempt += 1) {
      this.#retryNow = new Wakeup(); // what came before, the trigger of this run above all, shortens no pause
      events.emit('rebalance:started', { attempt, trigger });
      const running = this.#rebalance();
      this.#attempt = running.catch(() => undefined);
      try {
        await running;
        return this.#joined?.resolve();
      } catch (cause) {
        if (this.#isClosing()) return;
        const error = asRebalanceError(cause);
        if (error.code === 'NO_AUTH' || error.code === 'CHROOT_MISSING') {
          this.#joined?.reject(error);
          onFatal(error);
          return;
        }
        const retries = config['rebalance.max.retries'];
        const retryInMs = backoffMs(config['rebalance.backoff.ms'], attempt - retries);
        events.emit('rebalance:failed', { attempt, error, retryInMs });
        logger.warn(`rebalance attempt ${attempt} failed, the next one is in ${retryInMs} ms at the latest`, {
          error,
        });
        if (attempt >= retries) this.#joined?.resolve();
        await this.#pause(retryInMs);
      }
    }
  }

  /**
   * One attempt: all steps in this order, or none.
   *
   * Why this order: what is committed before the release is what the next owner reads after its claim, so nothing is
   * lost and nothing repeated; and nobody reads a partition without its owner node.
   */
  async #rebalance(): Promise<void> {
    const { consumption, config, consumerId, callbacks } = this.#options;
    const startedMs = performance.now();
    const ending = (this.#ending = new AbortController());
    const member = await this.#livingMember();

    const before = await this.#lookAhead(member);
    if (
      before !== null &&
      !before.wasMissing &&
      before.inputs === this.#inputs &&
      consumption.runs(before.mine) &&
      (await member.ownership.stands(before.mine))
    ) {
      this.#finished(startedMs, before.mine, false);
      return;
    }

    // 1. Stop the fetchers, clear queues and streams, let the application finish what it has in hand, commit.
    await this.#step('stop-fetchers', () => consumption.stop());
    if (config['auto.commit.enable']) await this.#step('commit', () => this.#commit());
    await callbacks.beforeReleasingPartitions(consumption.ownedPartitions());

    // 2. Delete our owner nodes: from here on others may claim.
    await consumption.release();
    await this.#step('release', () => member.ownership.release());

    // 3. Assign, from what ZooKeeper says now: the steps before may have taken their time.
    const plan = await this.#step('assign', () => member.plan());

    // 4. Write our owner nodes: all, or none.
    await this.#step('claim', () => member.ownership.claim(plan.mine));

    // 5. Read the offsets, which nobody else moves any more, and start the fetchers.
    try {
      const { session, cluster, offsets: store } = member;
      const offsets = await this.#step('read-offsets', () => store.read(plan.mine, ending.signal));
      consumption.claim({ partitions: plan.mine, offsets, store, cluster, lease: session });
      await callbacks.beforeStartingFetchers(consumerId, plan.assignment);
      await this.#step('start-fetchers', () => consumption.start());
    } catch (error) {
      await consumption.release();
      // What cannot be released now is released by the next attempt, before it claims.
      await this.#try('release', () => member.ownership.release());
      throw error;
    }
    this.#inputs = plan.inputs;
    this.#finished(startedMs, plan.mine, true);
  }

  /**
   * Null if there is a filter in the group that this member cannot evaluate. Others may, and claim what it has: it must not
   * stand in their way, so it gives all of it up before the attempt fails. What nobody can read keeps it from nothing.
   */
  async #lookAhead(member: GroupMember): Promise<Plan | null> {
    try {
      return await member.plan();
    } catch (error) {
      if (isRefusedFilter(error)) return null;
      throw error;
    }
  }

  /** The reverse of a start: nothing is left in ZooKeeper, and no handle in this process. */
  async #leave(): Promise<void> {
    const { consumption, config } = this.#options;
    await this.#try('stop-fetchers', () => consumption.stop());
    if (config['auto.commit.enable']) {
      await this.#try('commit', () => this.#commitBounded());
    }
    await consumption.release();
    await this.#try('release', async () => this.#member?.ownership.release());
    await this.#member?.close();
  }

  /**
   * A coordinator of the brokers that is away does not keep the group from sharing anew: what it did not store, the next owner
   * reads once more. If it is ZooKeeper that is away, nothing can be released either: then the attempt has failed.
   */
  async #commit(): Promise<void> {
    const { config, logger } = this.#options;
    try {
      await this.#commitBounded();
    } catch (error) {
      if (config['offsets.storage'] === 'zookeeper') throw error;
      logger.error('offsets could not be committed before the release', { error });
    }
  }

  /**
   * Commits of the application that wait for a coordinator which says nothing come before this one. What has not had its turn
   * in time is refused with the release.
   */
  async #commitBounded(): Promise<void> {
    const { consumption, config } = this.#options;
    const limitMs = config['offsets.channel.socket.timeout.ms'];
    const late = (): ConnectorError =>
      new ConnectorError(
        'COMMIT_FAILED',
        `not committed within offsets.channel.socket.timeout.ms (${limitMs})`,
      );
    const commit = (): Promise<void> => consumption.commitProcessed({ retryOnFailure: true });
    if (config['offsets.storage'] === 'zookeeper') return commit();
    return withinTime({ limitMs, late }, commit);
  }

  /** The member, in a new session if the last one is lost. */
  async #livingMember(): Promise<GroupMember> {
    const member = this.#member;
    if (member !== null && member.session.state !== 'lost') return member;
    this.#options.consumption.letGo(); // a claim of that session, should one have come after its loss
    await member?.close();
    this.#inputs = null;
    return (this.#member = await this.#newMember());
  }

  #newMember(): Promise<GroupMember> {
    const { config, consumerId, subscription, connect, logger, events } = this.#options;
    const joining = GroupMember.join({
      ...{ config, consumerId, subscription, connect, logger, signal: this.#closing.signal },
      events: {
        membersChanged: () => this.trigger('members-changed'),
        topicChanged: () => this.trigger('topic-changed'),
        conflictGone: () => this.#retryNow.wake(),
        stateChanged: (state) => this.#sessionChanged(state),
      },
    });
    return joining.then((member) => {
      const { id: sessionId, timeoutMs } = member.session;
      events.emit('session:connected', { sessionId, timeoutMs });
      return member;
    });
  }

  #sessionChanged(state: SessionState): void {
    const { consumption, events } = this.#options;
    const { id: sessionId, timeoutMs } = this.#member?.session ?? { id: '', timeoutMs: 0 };
    switch (state) {
      case 'connected': {
        events.emit('session:connected', { sessionId, timeoutMs });
        return;
      }
      case 'suspended': {
        events.emit('session:suspended', { sessionId });
        return;
      }
      case 'lost':
        // Others may own our partitions by now: let go at once, ask for nothing, commit nothing.
        events.emit('session:lost', { sessionId });
        consumption.letGo();
        this.#ending.abort();
        this.trigger('session-lost');
        return;
      case 'closed':
    }
  }

  #isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  async #step<T>(step: RebalanceStep, work: () => T | Promise<T>): Promise<T> {
    if (this.#closing.signal.aborted)
      throw new ConnectorError('CONNECTOR_CLOSED', 'the connector is shutting down');
    const startedMs = performance.now();
    const result = await work();
    this.#options.events.emit('rebalance:step', { step, durationMs: performance.now() - startedMs });
    return result;
  }

  async #try(step: RebalanceStep, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.logger.error(`could not ${step}`, { error });
    }
  }

  #finished(
    startedMs: number,
    mine: readonly { topic: string; partition: number }[],
    changed: boolean,
  ): void {
    const owned = mine.map(({ topic, partition }) => ({ topic, partition }));
    this.#options.events.emit('rebalance:finished', {
      durationMs: performance.now() - startedMs,
      owned,
      changed,
    });
  }

  /** Waits for the next attempt: until a node in the way goes, something changes, or the time is over. */
  async #pause(ms: number): Promise<void> {
    let free = false;
    try {
      free = (await this.#member?.ownership.watchConflicts()) ?? false;
    } catch (error) {
      this.#options.logger.debug('the owner nodes in the way could not be watched', { error });
    }
    await this.#retryNow.wait(this.#closing.signal, free ? SHORTEST_BACKOFF_MS : ms);
  }
}

/** `rebalance.backoff.ms` for the attempts of the property, then twice as long each time. */
function backoffMs(baseMs: number, attemptsBeyond: number): number {
  if (attemptsBeyond <= 0) return baseMs;
  return Math.min(Math.max(baseMs, LONGEST_BACKOFF_MS), baseMs * 2 ** Math.min(attemptsBeyond, 20));
}

function asRebalanceError(cause: unknown): ConnectorError {
  if (ConnectorError.is(cause)) return cause;
  return new ConnectorError('REBALANCE_FAILED', `the rebalance failed: ${String(cause)}`, { cause });
}

function closedWhileStarting(): ConnectorError {
  return new ConnectorError('CONNECTOR_CLOSED', 'the connector was shut down while it started');
}
