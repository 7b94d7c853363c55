import type { MixedGroup, Reading } from './MixedGroup';

/** What happens to a group; every step ends with everybody having the own share, and messages of it. */
export type Scene = (group: MixedGroup) => Promise<void>;

/** Both kinds join and leave, and one of each is killed. The first four readings are those of two members of each kind. */
async function play(
  group: MixedGroup,
  [first, second, third, fourth]: readonly [Reading, Reading, Reading, Reading],
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const [jvm, node] = await Promise.all([group.joinJvm(first), group.joinNode(second)]);
  await group.settle();
  const [secondJvm, secondNode] = await Promise.all([group.joinJvm(third), group.joinNode(fourth)]);
  await group.settle();
  await group.leave(node);
  await group.settle();
  await group.leave(jvm);
  await group.settle();
  await between();
  await Promise.all([group.joinJvm(first), group.joinNode(second)]);
  await group.settle();
  await group.kill(secondJvm);
  await group.settle();
  await group.kill(secondNode);
  await group.settle();
}

/** Two topics, with several streams of each. */
export const staticTopics: Scene = async (group) => {
  const left = `${group.name}.left`;
  const right = `${group.name}.right`;
  await group.createTopics({ [left]: 5, [right]: 4 });
  await play(group, [
    { topics: { [left]: 2, [right]: 1 } },
    { topics: { [left]: 1, [right]: 2 } },
    { topics: { [left]: 1, [right]: 3 } },
    { topics: { [left]: 3 } },
  ]);
};

/** Each member has the same number of streams of both topics, which members before 0.10.2 demand for roundrobin. */
export const equalSubscriptions: Scene = async (group) => {
  const left = `${group.name}.left`;
  const right = `${group.name}.right`;
  await group.createTopics({ [left]: 5, [right]: 4 });
  const both = (streams: number): Reading => ({ topics: { [left]: streams, [right]: streams } });
  await play(group, [both(2), both(1), both(1), both(3)]);
};

/** A white list with a dot that is meant as one, a black list, and members with fixed topics; and a topic that comes later. */
export function filters(dot: '\\.' | '[.]'): Scene {
  return async (group) => {
    const topic = (rest: string): string => `${group.name}${rest}`;
    const text = group.name.replaceAll('.', dot);
    await group.createTopics({ [topic('.x1')]: 4, [topic('.y')]: 3, [topic('-x')]: 2 });
    const white: Reading = {
      ...{ filter: { whitelist: `${text}${dot}x.*, ${text}-none`, streams: 2 } },
      matches: [topic('.x1'), topic('.x2')],
    };
    // All topics of this group but those with the dot and an x.
    const black: Reading = {
      ...{ filter: { blacklist: `(?!${text}).*|${text}${dot}x.*` } },
      matches: [topic('.y'), topic('-x')],
    };
    const fixed: Reading = { topics: { [topic('.x1')]: 1, [topic('-x')]: 1 } };
    await play(group, [white, black, black, white], async () => {
      const [jvm, node] = await Promise.all([group.joinJvm(fixed), group.joinNode(fixed)]);
      await group.settle();
      await group.createTopics({ [topic('.x2')]: 3 });
      await group.settle();
      await Promise.all([group.leave(jvm), group.leave(node)]);
      await group.settle();
    });
  };
}

/**
 * The members of the JVM write their regex with each backslash twice and read it back that way, so that they miss a topic whose
 * dot was escaped; ours has to see the same in their registrations, and right what it wrote itself.
 */
export const doubleEscapes: Scene = async (group) => {
  const dotted = `${group.name}.x`;
  const plain = `${group.name}-x`;
  await group.createTopics({ [dotted]: 3, [plain]: 4 });
  const filter = { whitelist: `${group.name.replaceAll('.', '[.]')}(\\.x|-x)`, streams: 2 };
  const [jvm, , node] = await Promise.all([
    group.joinJvm({ filter, matches: [plain] }),
    group.joinJvm({ filter, matches: [plain] }),
    group.joinNode({ filter, matches: [dotted, plain] }),
  ]);
  await group.settle();
  await group.joinNode({ filter, matches: [dotted, plain] });
  await group.settle();
  await group.leave(node);
  await group.settle();
  await group.kill(jvm);
  await group.settle();
};

/** Members of the JVM that own a share, but cannot read from these brokers. */
export const silentPeers: Scene = async (group) => {
  const left = `${group.name}.left`;
  const right = `${group.name}.right`;
  await group.createTopics({ [left]: 5, [right]: 4 });
  const [node, jvm, secondJvm] = await Promise.all([
    group.joinNode({ topics: { [left]: 2, [right]: 1 } }),
    group.joinJvm({ topics: { [left]: 1, [right]: 2 } }),
    group.joinJvm({ topics: { [left]: 1, [right]: 1 } }),
  ]);
  await group.settle();
  await group.joinNode({ topics: { [right]: 2 } });
  await group.settle();
  await group.leave(jvm);
  await group.settle();
  await group.leave(node);
  await group.joinNode({ topics: { [left]: 1 } });
  await group.settle();
  await group.kill(secondJvm);
  await group.settle();
};
