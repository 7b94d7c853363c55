import type { Mutation } from './mutation';
import { SPECS } from './specNames';

const FILE = 'lib/Consumption.ts';
const STORE = 'lib/offsets/ZookeeperOffsetStore.ts';

/** Faults in what a rebalance asks of streams, positions and commits. */
export const CONSUMPTION_MUTATIONS: readonly Mutation[] = [
  {
    fault: 'the drain does not wait for what the application has in hand',
    edits: [
      {
        file: FILE,
        find: 'Promise.all(streams.map((stream) => stream.drained())),',
        replace: 'Promise.resolve(),',
      },
    ],
    spec: SPECS.inHand,
  },
  {
    fault: 'the drain waits for ever',
    edits: [
      {
        file: FILE,
        find: "delay(this.#config['rebalance.drain.timeout.ms'], drained.signal),",
        replace: 'new Promise<void>(() => undefined),',
      },
    ],
    spec: SPECS.inHandTooLong,
  },
  {
    fault: 'streams hand out in the middle of a rebalance what they have in their queues',
    edits: [
      {
        file: FILE,
        find: 'for (const stream of streams) stream.hold();\n    this.#flows = false;',
        replace: 'this.#flows = false;',
      },
      {
        file: FILE,
        find: 'for (const stream of streams) stream.hold(); // the last',
        replace: '// the last',
      },
    ],
    spec: SPECS.inHand,
  },
  {
    fault: 'what was fetched and thrown away by a rebalance is not fetched again',
    edits: [
      {
        file: FILE,
        find: 'for (const info of this.#infos.values()) info.discardFetched();',
        replace: '',
      },
    ],
    spec: SPECS.inHand,
  },
  {
    fault: 'released partitions can still be committed',
    edits: [
      {
        file: FILE,
        find: 'this.#claim = null;\n    await this.#commits.idle();',
        replace: 'await this.#commits.idle();',
      },
    ],
    spec: SPECS.commitInBetween,
  },
  {
    fault: 'partitions of a lost session stay claimed',
    edits: [{ file: FILE, find: 'this.#claim = null;\n    for (const stream', replace: 'for (const stream' }],
    spec: SPECS.endedSession,
  },
  {
    fault: 'every claim starts at the stored positions',
    edits: [
      {
        file: 'lib/fetch/claimedPartition.ts',
        find: 'before?.storedOffset === stored ? before : undefined;',
        replace: 'Date.now() < 0 ? before : undefined;',
      },
    ],
    spec: SPECS.positionInMemory,
  },
  {
    fault: 'a partition that is claimed again ignores that somebody else has moved the stored position',
    edits: [
      {
        file: 'lib/fetch/claimedPartition.ts',
        find: 'before?.storedOffset === stored ? before : undefined;',
        replace: 'before;',
      },
    ],
    spec: SPECS.positionStored,
  },
  {
    fault: 'the first position of a partition, from auto.offset.reset, is not committed',
    edits: [
      {
        file: 'lib/fetch/resetPositions.ts',
        find: 'if (info.processedOffset === from) info.moveTo(to);',
        replace: 'if (info.processedOffset === from) continue;',
      },
    ],
    spec: SPECS.firstPosition,
  },
  {
    fault: 'offsets are written though the session of the claim is not proved alive',
    edits: [{ file: STORE, find: 'if (!this.#session.isProved) {', replace: 'if (Date.now() < 0) {' }],
    spec: SPECS.unproved,
  },
];
