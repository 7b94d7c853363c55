import { EXTREMES, frameMutations } from './frameMutations';
import { changed, framed, goOn, ints, type Answer, type Chance, type Mutation } from './mutation';

/* Places in an answer, behind its length: xid, an 8-byte transaction id, error code, body. */
const XID_AT = 4;
const ZXID_AT = 8;
const ERROR_AT = 16;
const BODY_AT = 20;
/* And in a connect answer: version, timeout, session id, length of the password, password. */
const TIMEOUT_AT = 8;
const SESSION_AT = 12;
const PASSWORD_AT = 20;
/** Of a request, behind its length and xid. */
const TYPE_AT = 8;

const CREATE = 1;
const READ = 4;
const CHILDREN = [8, 12];
const MULTI = 14;
const EVENT_XID = -1;
const FIXED_XIDS = [-1, -2, -4, -8, 0, 1, 0x7fff_ffff, -0x8000_0000];
/** Access is denied, or the credentials are: by these a member gives up for good. */
const REFUSALS = [-102, -115];
const CODES = Array.from({ length: 130 }, (_, n) => -1 - n).filter((code) => !REFUSALS.includes(code));

/** Zero, negative, shorter than asked for, and far longer than any server grants. */
const TIMEOUTS = [0, -1, -0x8000_0000, 1, 5, 100, 900, 2000, 0x4000_0000, 0x7fff_ffff];

const isConnect = ({ previous }: Answer): boolean => previous === null;

function typeOf({ request, previous }: Answer): number | null {
  return request === null || previous === null ? null : request.readInt32BE(TYPE_AT);
}

/** A mutation of connect answers only, which puts a number at that place. */
function ofConnect(kind: string, at: number, values: readonly number[], isPlausible = false): Mutation {
  return {
    ...{ kind, isPlausible },
    apply: (answer, chance) =>
      isConnect(answer) && answer.frame.length >= at + 4
        ? goOn(changed(answer.frame, (copy) => copy.writeInt32BE(chance.of(values), at)))
        : null,
  };
}

/** A mutation of successful answers to some requests, which get that body. */
function ofBody(
  kind: string,
  types: readonly number[],
  body: (chance: Chance) => Buffer,
  isPlausible = false,
): Mutation {
  return {
    ...{ kind, isPlausible },
    apply(answer, chance) {
      const type = typeOf(answer);
      if (type === null || !types.includes(type)) return null;
      const header = changed(answer.frame.subarray(4, BODY_AT), (copy) => copy.writeInt32BE(0, ERROR_AT - 4));
      return goOn(framed(header, body(chance)));
    },
  };
}

function event(type: number, chance: Chance): Buffer {
  const path = Buffer.from(chance.of(['', '/', '/kafka', '/kafka/mutated/1', 'constructor', '/other', '//']));
  const length = chance.isTrue(0.6) ? path.length : chance.of(EXTREMES);
  return framed(ints(EVENT_XID, 0, 1, 0, type, chance.of([3, 0, -112, 7]), length), path);
}

/** Each of these codes in its turn. */
function errorCodes(kind: string, weight: number, codes: readonly number[], isPlausible = false): Mutation {
  let turn = 0;
  return {
    ...{ kind, weight, isPlausible },
    apply(answer, chance) {
      if (isConnect(answer) || answer.frame.length < BODY_AT) return null;
      const code = codes[turn % codes.length] ?? 0;
      turn += 1;
      const bytes = changed(answer.frame, (copy) => copy.writeInt32BE(code, ERROR_AT));
      // Servers send no body with an error.
      return goOn(chance.isTrue(0.8) ? framed(bytes.subarray(4, BODY_AT)) : bytes);
    },
  };
}

/** What can happen to the answers of a ZooKeeper server. */
export function zookeeperMutations(): readonly Mutation[] {
  return [
    ...frameMutations,
    errorCodes('another error code', 6, CODES),
    errorCodes('a refusal', 1, REFUSALS, true),
    {
      kind: 'another xid',
      apply(answer, chance) {
        if (isConnect(answer)) return null;
        const xid = answer.frame.readInt32BE(XID_AT);
        const other = chance.of([...FIXED_XIDS, xid + 1, xid - 1]);
        return goOn(changed(answer.frame, (copy) => copy.writeInt32BE(other | 0, XID_AT)));
      },
    },
    {
      kind: 'another transaction id',
      apply: (answer, chance) =>
        isConnect(answer) || answer.frame.length < BODY_AT
          ? null
          : goOn(changed(answer.frame, (copy) => void chance.bytes(8).copy(copy, ZXID_AT))),
    },
    {
      kind: 'an event of an unknown type in front',
      apply: (answer, chance) =>
        isConnect(answer)
          ? null
          : goOn(
              Buffer.concat([event(chance.of([0, 5, 6, 7, 99, -1, -2, 0x7fff_ffff]), chance), answer.frame]),
            ),
    },
    {
      kind: 'an event in front',
      apply: (answer, chance) =>
        isConnect(answer) ? null : goOn(Buffer.concat([event(1 + chance.below(4), chance), answer.frame])),
    },
    ofConnect('another timeout', TIMEOUT_AT, TIMEOUTS),
    ofConnect('another session id', SESSION_AT, [0, -1, 1, 0x7fff_ffff], true),
    ofConnect('another length of the password', PASSWORD_AT, EXTREMES),
    // Numbers that are right one by one and lead a reader round in a circle.
    ofBody('children without end', CHILDREN, (chance) =>
      ints(0x7fff_ffff, chance.of([-4, -8, 0]), chance.of([-4, 0, 1])),
    ),
    ofBody('children without names', CHILDREN, () => Buffer.concat([ints(2, -1, -1), Buffer.alloc(68)])),
    ofBody('a transaction without end', [MULTI], (chance) =>
      Buffer.concat([ints(CREATE), Buffer.from([0]), ints(0, chance.of([-13, -4, -17]), 0, 0)]),
    ),
    ofBody(
      'an extreme number in front of the body',
      [CREATE, READ, ...CHILDREN, MULTI],
      (chance) => Buffer.concat([ints(chance.of(EXTREMES)), Buffer.alloc(68)]),
      true,
    ),
  ];
}
