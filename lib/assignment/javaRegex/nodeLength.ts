import { excerpt } from '../../excerpt';
import { RefusedRegex } from './RefusedRegex';
import { isOptional, type RegexNode } from './regexTree';
import { LONGEST_TOPIC } from './topicChars';

/** Whether the node may match without a character being consumed. */
export function mayBeEmpty(node: RegexNode): boolean {
  switch (node.kind) {
    case 'chars':
      return false;
    case 'anchor':
    case 'look':
      return true;
    case 'sequence':
      return node.parts.every(mayBeEmpty);
    case 'choice':
      return node.options.some(mayBeEmpty);
    case 'group':
    case 'atomic':
      return mayBeEmpty(node.body);
    case 'repeat':
      return node.min === 0 || mayBeEmpty(node.body);
  }
}

/** Whether there is an anchor or a look-around in the node, so that where it matches nothing depends on the place. */
export function looksAround(node: RegexNode): boolean {
  switch (node.kind) {
    case 'chars':
      return false;
    case 'anchor':
    case 'look':
      return true;
    case 'sequence':
      return node.parts.some(looksAround);
    case 'choice':
      return node.options.some(looksAround);
    default:
      return looksAround(node.body);
  }
}

/** The length of the longest text that a look-behind may match, which Java must be able to tell, too. */
export function lengthBehind(node: RegexNode): number {
  switch (node.kind) {
    case 'chars':
      return 1;
    case 'anchor':
    case 'look':
      return 0;
    case 'sequence':
      return node.parts.reduce((length, part) => checked(length + lengthBehind(part)), 0);
    case 'choice':
      return Math.max(...node.options.map(lengthBehind));
    case 'group':
      return lengthBehind(node.body);
    case 'atomic':
      throw new RefusedRegex('an atomic group within a look-behind is not supported');
    case 'repeat':
      break;
  }
  if (node.mode === 'possessive') {
    throw new RefusedRegex(
      `${excerpt(node.text)}: a possessive quantifier within a look-behind is not supported`,
    );
  }
  if (
    node.max === Infinity ||
    (!isOptional(node) && node.body.kind === 'group' && !hasOneLength(node.body))
  ) {
    throw new RefusedRegex(
      `${excerpt(node.text)}: Java cannot tell for certain how long a look-behind with this may be`,
    );
  }
  return checked(node.max * lengthBehind(node.body));
}

function checked(length: number): number {
  if (length <= LONGEST_TOPIC) return length;
  throw new RefusedRegex(
    `a look-behind of more than ${LONGEST_TOPIC} characters is longer than any topic name`,
  );
}

/** As Java sees it: alternatives and optional parts count as of several lengths, even if they are not. */
function hasOneLength(node: RegexNode): boolean {
  switch (node.kind) {
    case 'chars':
    case 'anchor':
    case 'look':
      return true;
    case 'sequence':
      return node.parts.every(hasOneLength);
    case 'choice':
      return false;
    case 'group':
    case 'atomic':
      return hasOneLength(node.body);
    case 'repeat':
      return node.min === node.max && hasOneLength(node.body);
  }
}
