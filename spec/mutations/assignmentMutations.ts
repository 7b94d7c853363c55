import type { Mutation } from './mutation';
import { SPECS } from './specNames';

const REGISTRY = 'lib/zookeeper/ConsumerRegistry.ts';

/** Faults in who counts as a member, and in when that is looked at. */
export const ASSIGNMENT_MUTATIONS: readonly Mutation[] = [
  {
    fault: 'changes of the members are not watched',
    edits: [
      {
        file: REGISTRY,
        find: 'children(this.#paths.ids, { watch: true })',
        replace: 'children(this.#paths.ids)',
      },
    ],
    spec: SPECS.strictOrder,
  },
  {
    fault: 'changes of a topic are not watched',
    edits: [
      {
        file: 'lib/zookeeper/ClusterView.ts',
        find: 'const node = await this.#options.session.read(path, { watch: true });',
        replace: 'const node = await this.#options.session.read(path);',
      },
    ],
    spec: SPECS.unchangedTopic,
  },
  {
    fault: 'a topic filter does not look for new topics',
    edits: [
      {
        file: 'lib/zookeeper/ClusterView.ts',
        find: 'children(BROKER_TOPICS_PATH, { watch: true })',
        replace: 'children(BROKER_TOPICS_PATH)',
      },
    ],
    spec: SPECS.laterTopic,
  },
  {
    fault: 'roundrobin takes only the topics that the member itself wants',
    edits: [
      {
        file: 'lib/zookeeper/GroupMember.ts',
        find: "const isRange = config['partition.assignment.strategy'] === 'range';",
        replace: 'const isRange = Date.now() > 0;',
      },
    ],
    spec: SPECS.topicsOfOthers,
  },
  {
    fault: 'a topic filter takes internal topics',
    edits: [
      {
        file: 'lib/assignment/internalTopics.ts',
        find: "if (!config['exclude.internal.topics']) return [];",
        replace: 'if (Date.now() > 0) return [];',
      },
    ],
    spec: SPECS.internalTopics,
  },
  {
    fault: 'a member counts for topics that it has not subscribed to',
    edits: [
      {
        file: 'lib/assignment/GroupWants.ts',
        find: 'subscription.get(topic) ?? 0',
        replace: 'subscription.get(topic) ?? 1',
      },
    ],
    spec: SPECS.otherTopics,
  },
  {
    fault: 'a member that left between the list and the look fails the attempt',
    edits: [
      {
        file: REGISTRY,
        find: 'return node === null ? null : ([id, decodeRegistration(node.data, path)] as const);',
        replace: 'return [id, decodeRegistration(node?.data ?? Buffer.alloc(0), path)] as const;',
      },
    ],
    spec: SPECS.memberLeft,
  },
  {
    fault: 'an attempt stops the fetchers before it has read the registrations',
    edits: [
      {
        file: 'lib/ZKRebalanceListener.ts',
        find: 'const before = await this.#lookAhead(member);',
        replace:
          "await this.#step('stop-fetchers', () => consumption.stop());\n    const before = await this.#lookAhead(member);",
      },
    ],
    spec: SPECS.malformed,
  },
  {
    fault: 'a registration does not wait for the node of an earlier session to go',
    edits: [{ file: REGISTRY, find: 'if (performance.now() > untilMs) {', replace: 'if (Date.now() > 0) {' }],
    spec: SPECS.restarted,
  },
  {
    fault: 'a registration waits for ever for a name that is in use',
    edits: [{ file: REGISTRY, find: 'if (performance.now() > untilMs) {', replace: 'if (Date.now() < 0) {' }],
    spec: SPECS.idInUse,
  },
];
