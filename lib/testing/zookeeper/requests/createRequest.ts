import { fixAccessList } from '../acl/access';
import { PERMISSION, readAccessList, type AskedEntry } from '../acl/AccessEntry';
import type { JuteReader } from '../jute/JuteReader';
import { requireParent, requireValid } from '../tree/paths';
import type { Transaction } from '../tree/Transaction';
import { CONTAINER_OWNER, writeStat } from '../tree/TreeNode';
import type { Txn } from '../tree/Txn';
import { ZookeeperFault } from '../ZookeeperFault';
import type { ZookeeperRelease } from '../ZookeeperRelease';
import type { WriteRequest } from './WriteRequest';

/** Values of `flags`. The last two are those of nodes with a time to live, which servers refuse by default. */
export const FLAGS = {
  persistent: 0,
  ephemeral: 1,
  sequential: 2,
  ephemeralSequential: 3,
  container: 4,
  ttl: 5,
  ttlSequential: 6,
} as const;

/** Types of results in the answer to a multi. */
const CREATED = 1;
const CREATED_WITH_STAT = 15;

const SEQUENCE_DIGITS = 10;

export interface CreateQuestion {
  readonly path: string;
  readonly data: Buffer | null;
  readonly acl: readonly AskedEntry[] | null;
  readonly flags: number;
}

type CreateKind = 'plain' | 'container';

/** The answer has the path alone. */
export function createRequest(question: CreateQuestion): WriteRequest {
  return {
    ...{ type: 'create', path: question.path, data: question.data, resultType: CREATED },
    prepare: (transaction) => prepareCreate(question, 'plain', transaction),
    writeResult: ({ path }, answer) => answer.text(path),
  };
}

/** The answer has the path and what is to be known of the new node. */
export function createWithStatRequest(question: CreateQuestion, kind: CreateKind): WriteRequest {
  return {
    ...{ type: 'create', path: question.path, data: question.data, resultType: CREATED_WITH_STAT },
    prepare: (transaction) => prepareCreate(question, kind, transaction),
    writeResult: ({ path, stat }, answer) => {
      answer.text(path);
      if (stat !== null) writeStat(stat, answer);
    },
  };
}

export function readCreate(request: JuteReader): CreateQuestion {
  return {
    path: request.text(),
    data: request.bytesOrNull(),
    acl: readAccessList(request),
    flags: request.int32(),
  };
}

/**
 * For a node with a time to live, which servers refuse by default; and a time to live suits no other node. They say so
 * before they look at the path.
 */
export function readCreateTtl(request: JuteReader): WriteRequest {
  const path = request.textOrNull() ?? '';
  const data = request.bytesOrNull();
  readAccessList(request);
  const flags = request.int32();
  request.int64();
  return {
    ...{ type: 'create', path, data, resultType: CREATED_WITH_STAT },
    prepare: ({ release }) => {
      requireFlags({ path, flags }, release);
      throw new ZookeeperFault('BAD_ARGUMENTS', `a time to live for flags ${flags} of ${path}`);
    },
    writeResult: () => undefined,
  };
}

function isKnownFlag(flags: number, release: ZookeeperRelease): boolean {
  return flags >= 0 && flags <= (release === '3.4' ? FLAGS.ephemeralSequential : FLAGS.ttlSequential);
}

function prepareCreate(question: CreateQuestion, kind: CreateKind, transaction: Transaction): Txn {
  const { release, author } = transaction;
  if (release === '3.8') requireFlags(question, release);
  const parentPath = requireParent(question.path);
  const acl = fixAccessList(question.acl, author.ids, release, question.path);
  const parent = transaction.node(parentPath);
  transaction.requireAccess(parent, PERMISSION.create, question.path);
  if (release === '3.4') requireFlags(question, release);
  const path = isSequential(question.flags)
    ? `${question.path}${sequenceOf(parent.createdChildren)}`
    : question.path;
  requireValid(path, release);
  if (transaction.find(path) !== undefined) throw new ZookeeperFault('NODE_EXISTS', path);
  if (parent.owner !== 0n && parent.owner !== CONTAINER_OWNER) {
    throw new ZookeeperFault('NO_CHILDREN_FOR_EPHEMERALS', path);
  }
  const owner = ownerOf(question.flags, kind, author.sessionId);
  transaction.prepare(parentPath, parent, {
    createdChildren: parent.createdChildren + 1,
    childCount: parent.childCount + 1,
  });
  transaction.prepare(path, { version: 0, aversion: 0, createdChildren: 0, childCount: 0, acl, owner });
  return { kind: 'create', path, data: question.data, acl, owner };
}

function requireFlags(
  { flags, path }: Pick<CreateQuestion, 'flags' | 'path'>,
  release: ZookeeperRelease,
): void {
  if (!isKnownFlag(flags, release)) throw new ZookeeperFault('BAD_ARGUMENTS', `flags ${flags} of ${path}`);
  if (flags >= FLAGS.ttl) throw new ZookeeperFault('UNIMPLEMENTED', `a time to live of ${path}`);
}

function isSequential(flags: number): boolean {
  return flags === FLAGS.sequential || flags === FLAGS.ephemeralSequential;
}

function ownerOf(flags: number, kind: CreateKind, sessionId: bigint): bigint {
  if (kind === 'container') return CONTAINER_OWNER;
  return flags === FLAGS.ephemeral || flags === FLAGS.ephemeralSequential ? sessionId : 0n;
}

function sequenceOf(count: number): string {
  return String(count).padStart(SEQUENCE_DIGITS, '0');
}
