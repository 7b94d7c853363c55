import type { Mutation } from './mutation';
import { SPECS } from './specNames';

const FILE = 'lib/zookeeper/PartitionOwnership.ts';

const RELEASE_CHECK = `const node = await this.#session.exists(path);
      if (node?.ephemeralOwner === this.#session.id) await this.#session.remove(path);`;

/** Faults in the claim, the release and the watch of owner nodes. */
export const OWNERSHIP_MUTATIONS: readonly Mutation[] = [
  {
    fault: 'a claim that failed for a conflict is not rolled back',
    edits: [{ file: FILE, find: 'await this.release().catch(() => undefined);', replace: '' }],
    spec: SPECS.conflict,
  },
  {
    fault: 'a claim that failed for another reason than a conflict is not rolled back',
    edits: [
      {
        file: FILE,
        find: 'await this.release().catch(() => undefined);',
        replace: 'if (this.#conflicts.length > 0) await this.release().catch(() => undefined);',
      },
    ],
    spec: SPECS.claimFails,
  },
  {
    fault: 'a claim takes a node for ours by its text instead of its session',
    edits: [
      {
        file: FILE,
        find: 'if (node.ephemeralOwner !== this.#session.id) return { path',
        replace: 'if (!node.data.equals(data)) return { path',
      },
    ],
    spec: SPECS.ownName,
  },
  {
    fault: 'a claim gives up when a node goes between the create and the look',
    edits: [
      {
        file: FILE,
        find: 'if (node === null) continue;',
        replace: 'if (node === null) return { path, owner: null };',
      },
    ],
    spec: SPECS.createdAgain,
  },
  {
    fault: 'a release deletes owner nodes whoever has them',
    edits: [{ file: FILE, find: RELEASE_CHECK, replace: 'await this.#session.remove(path);' }],
    spec: SPECS.foreignText,
  },
  {
    fault: 'a release takes a node for ours by its text instead of its session',
    edits: [
      {
        file: FILE,
        find: RELEASE_CHECK,
        replace: `const node = await this.#session.read(path);
      if (node?.data.toString() === this.#nodes.get(path)) await this.#session.remove(path);`,
      },
    ],
    spec: SPECS.foreignSameText,
  },
  {
    fault: 'owner nodes in the way are not watched',
    edits: [
      {
        file: FILE,
        find: 'this.#session.exists(path, { watch: true })',
        replace: 'this.#session.exists(path)',
      },
    ],
    spec: SPECS.conflictWatched,
  },
  {
    fault: 'the watch on an owner node in the way ends no pause',
    edits: [
      {
        file: 'lib/zookeeper/GroupMember.ts',
        find: 'else if (path.startsWith(`${paths.owners}/`)) events.conflictGone();',
        replace: '',
      },
    ],
    spec: SPECS.conflictWatched,
  },
  {
    fault: 'an owner node that was in the way of an earlier claim shortens all later pauses',
    edits: [{ file: FILE, find: 'this.#conflicts = []; //', replace: '//' }],
    spec: SPECS.pauseAfterOther,
  },
  {
    fault: 'a release whose answer got lost is repeated, whoever has the node by now',
    edits: [
      {
        file: 'lib/zookeeper/sessionRequests.ts',
        find: "return node.ephemeralOwner === '0x0' || node.ephemeralOwner === client.sessionId",
        replace: "return node.ephemeralOwner !== ''",
      },
    ],
    spec: SPECS.releaseCut,
  },
  {
    fault: 'a claim whose answer got lost is not taken for ours',
    edits: [
      {
        file: 'lib/zookeeper/sessionRequests.ts',
        find: "const isOwn = kind === 'ephemeral' && node.ephemeralOwner === client.sessionId;",
        replace: "const isOwn = kind === 'ephemeral' && node.ephemeralOwner === '';",
      },
      { file: FILE, find: 'if (node.data.equals(data)) return null;', replace: '' },
    ],
    spec: SPECS.claimCut,
  },
];
