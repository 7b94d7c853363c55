import type { RegexNode } from './regexTree';

/** Upper bounds for one place of a topic name. */
interface Effort {
  /** In how many ways a node may match from there: so often what follows is tried. */
  readonly ways: number;
  /** Steps to go through all of these ways. */
  readonly steps: number;
}

/** An upper bound for the steps in which a backtracking engine matches a topic name so long; Infinity if they are beyond numbers. */
export function matchingSteps(tree: RegexNode, topicLength: number): number {
  return effortOf(tree, topicLength).steps;
}

function effortOf(node: RegexNode, topicLength: number): Effort {
  const within = (part: RegexNode): Effort => effortOf(part, topicLength);
  switch (node.kind) {
    case 'chars':
    case 'anchor':
      return { ways: 1, steps: 1 };
    case 'look':
    case 'atomic':
      return { ways: 1, steps: within(node.body).steps };
    case 'group':
      return within(node.body);
    case 'sequence':
      return node.parts.map(within).reduce(oneBehindTheOther, { ways: 1, steps: 1 });
    case 'choice':
      return node.options.map(within).reduce(oneOrTheOther);
    case 'repeat':
      break;
  }
  const body = within(node.body);
  const each = node.mode === 'possessive' ? { ways: 1, steps: body.steps } : body;
  const most = Math.min(node.max, topicLength + 1);
  // With one way for each repetition there is one way for each number of them.
  const ways = each.ways === 1 ? most - node.min + 1 : (each.ways + 1) ** most;
  return { ways: node.mode === 'possessive' ? 1 : ways, steps: Math.max(ways, most, 1) * each.steps };
}

function oneBehindTheOther(first: Effort, second: Effort): Effort {
  return { ways: first.ways * second.ways, steps: first.steps + first.ways * second.steps };
}

function oneOrTheOther(one: Effort, other: Effort): Effort {
  return { ways: one.ways + other.ways, steps: one.steps + other.steps };
}
