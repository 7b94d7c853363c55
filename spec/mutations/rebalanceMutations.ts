import type { Mutation } from './mutation';
import { SPECS } from './specNames';

const FILE = 'lib/ZKRebalanceListener.ts';

const STOP = "await this.#step('stop-fetchers', () => consumption.stop());";
const COMMIT = "if (config['auto.commit.enable']) await this.#step('commit', () => this.#commit());";
const COMMIT_PROCESSED = '=> consumption.commitProcessed({ retryOnFailure: true });';
const BEFORE_RELEASE = 'await callbacks.beforeReleasingPartitions(consumption.ownedPartitions());';
const RELEASE = `await consumption.release();
    await this.#step('release', () => member.ownership.release());`;
const ASSIGN = "const plan = await this.#step('assign', () => member.plan());";
const CLAIM = "await this.#step('claim', () => member.ownership.claim(plan.mine));";
const READ = `const { session, cluster, offsets: store } = member;
      const offsets = await this.#step('read-offsets', () => store.read(plan.mine, ending.signal));`;
const CLAIM_HERE = 'consumption.claim({ partitions: plan.mine, offsets, store, cluster, lease: session });';
const BEFORE_START = 'await callbacks.beforeStartingFetchers(consumerId, plan.assignment);';
const START = "await this.#step('start-fetchers', () => consumption.start());";
const LEAVE_COMMIT = `if (config['auto.commit.enable']) {
      await this.#try('commit', () => this.#commitBounded());
    }`;
const LEAVE_RELEASE = "await this.#try('release', async () => this.#member?.ownership.release());";
const LEAVE_CLOSE = 'await this.#member?.close();\n  }';

/** The text is left out. */
const without = (find: string, instead = '') => ({ file: FILE, find, replace: instead });

/** Faults in the steps of a rebalance, in their order, in the pauses between attempts, and in the shutdown. */
export const REBALANCE_MUTATIONS: readonly Mutation[] = [
  {
    fault: 'a rebalance does not stop the fetchers and streams',
    edits: [without(STOP, "await this.#step('stop-fetchers', () => undefined);")],
    spec: SPECS.lateCommit,
  },
  {
    fault: 'a rebalance does not commit',
    edits: [
      without(COMMIT, "if (config['auto.commit.enable']) await this.#step('commit', () => undefined);"),
    ],
    spec: SPECS.strictOrder,
  },
  {
    fault: 'a rebalance does not wait for the answers to its commits',
    edits: [
      without(COMMIT, COMMIT.replace('await', 'void')),
      { file: 'lib/Consumption.ts', find: 'await this.#commits.idle();', replace: '' },
    ],
    spec: SPECS.lateCommit,
  },
  {
    fault: 'a rebalance commits what was handed out, processed or not',
    edits: [without(COMMIT_PROCESSED, '=> consumption.commitHanded();')],
    spec: SPECS.inHandTooLong,
  },
  {
    fault: 'a rebalance releases before it commits',
    edits: [
      without(COMMIT),
      without(
        RELEASE,
        `await this.#step('release', () => member.ownership.release());\n    ${COMMIT}\n    await consumption.release();`,
      ),
    ],
    spec: SPECS.strictOrder,
  },
  {
    fault: 'a rebalance claims before it releases',
    edits: [without(RELEASE), without(CLAIM, `${CLAIM}\n    ${RELEASE}`)],
    spec: SPECS.strictOrder,
  },
  {
    fault: 'a rebalance assigns from what was read before it stopped, and does not read again',
    edits: [without(ASSIGN, "const plan = await this.#step('assign', () => before);")],
    spec: SPECS.staleAssignment,
  },
  {
    fault: 'a rebalance reads the offsets before it claims',
    edits: [without(READ), without(CLAIM, `${READ}\n    ${CLAIM}`)],
    spec: SPECS.strictOrder,
  },
  {
    fault: 'a rebalance starts the fetchers before it claims',
    edits: [
      without(READ),
      without(CLAIM_HERE),
      without(START),
      without(CLAIM, [READ, CLAIM_HERE, START, CLAIM].join('\n    ')),
    ],
    spec: SPECS.strictOrder,
  },
  {
    fault: 'the rebalance listener is told of the release when it is over',
    edits: [without(BEFORE_RELEASE), without(ASSIGN, `${BEFORE_RELEASE}\n    ${ASSIGN}`)],
    spec: SPECS.listenerOrder,
  },
  {
    fault: 'the rebalance listener is told of the start when the fetchers run',
    edits: [without(BEFORE_START), without(START, `${START}\n    ${BEFORE_START}`)],
    spec: SPECS.listenerOrder,
  },
  {
    fault: 'what is claimed stays claimed when the rebalance listener has thrown',
    edits: [
      without(
        "await this.#try('release', () => member.ownership.release());\n      throw error;",
        'throw error;',
      ),
    ],
    spec: SPECS.listenerThrows,
  },
  {
    fault: 'a coordinator that does not take the commit holds up the release',
    edits: [without("if (config['offsets.storage'] === 'zookeeper') throw error;", 'throw error;')],
    spec: SPECS.coordinatorAway,
  },
  {
    fault: 'a filter that cannot be evaluated keeps everything claimed',
    edits: [without('if (isRefusedFilter(error)) return null;')],
    spec: SPECS.refusedFilter,
  },
  {
    fault: 'a shutdown waits for every commit that waits for a silent coordinator',
    edits: [
      without(
        'return withinTime({ limitMs, late }, commit);',
        'void [limitMs, late, withinTime];\n    return commit();',
      ),
    ],
    spec: SPECS.silentCoordinator,
  },
  {
    fault: 'commits of others do not wait for the rebalance while the listener is called',
    edits: [
      {
        file: 'lib/RebalanceCallbacks.ts',
        find: 'return this.#context.getStore() === true;',
        replace: 'return Date.now() > 0;',
      },
    ],
    spec: SPECS.othersMeanwhile,
  },
  {
    fault: 'a rebalance always goes all the way, also when nothing has changed',
    edits: [without('!before.wasMissing &&', 'Date.now() < 0 &&')],
    spec: SPECS.unchangedTopic,
  },
  {
    fault: 'a rebalance that finds nothing changed does not look at the owner nodes',
    edits: [without('(await member.ownership.stands(before.mine))', 'Date.now() > 0')],
    spec: SPECS.ownerNodeGone,
  },
  {
    fault: 'a rebalance that had to register again takes this for no change',
    edits: [without('!before.wasMissing &&')],
    spec: SPECS.registrationGone,
  },
  {
    fault: 'a trigger before the first attempt shortens the pause after it',
    edits: [without('this.#retryNow = new Wakeup(); //', '//')],
    spec: SPECS.pause,
  },
  {
    fault: 'an owner node that is gone before the pause does not shorten it',
    edits: [without('free ? SHORTEST_BACKOFF_MS : ms', 'free ? ms : ms')],
    spec: SPECS.conflictGone,
  },
  {
    fault: 'attempts end with rebalance.max.retries',
    edits: [
      without(
        'if (attempt >= retries) this.#joined?.resolve();',
        'if (attempt >= retries) return this.#joined?.resolve();',
      ),
    ],
    spec: SPECS.conflict,
  },
  {
    fault: 'the loss of the session is seen by the next attempt only',
    edits: [
      without(
        "events.emit('session:lost', { sessionId });\n        consumption.letGo();",
        "events.emit('session:lost', { sessionId });",
      ),
    ],
    spec: SPECS.inHandOfLostSession,
  },
  {
    fault: 'a shutdown does not commit',
    edits: [without(LEAVE_COMMIT)],
    spec: SPECS.shutdown,
  },
  {
    fault: 'a shutdown releases before it commits',
    edits: [without(LEAVE_RELEASE), without(LEAVE_COMMIT, `${LEAVE_RELEASE}\n    ${LEAVE_COMMIT}`)],
    spec: SPECS.shutdown,
  },
  {
    fault: 'a shutdown leaves the owner nodes to the end of the session',
    edits: [without(LEAVE_RELEASE)],
    spec: SPECS.shutdown,
  },
  {
    fault: 'a shutdown ends the session before it commits',
    edits: [
      without(LEAVE_COMMIT, `await this.#member?.close();\n    ${LEAVE_COMMIT}`),
      without(LEAVE_CLOSE, '}'),
    ],
    spec: SPECS.shutdown,
  },
];
