import { PieceReader } from './PieceReader';
import type { RunFacts } from './RunFacts';
import type { Piece } from '../Comparison';

/** How an answer looks behind its header; of a connect answer and of a word, which have none: the whole. */
export type Shape =
  | 'nothing'
  | 'path'
  | 'stat'
  | 'pathStat'
  | 'dataStat'
  | 'names'
  | 'namesStat'
  | 'aclStat'
  | 'results'
  | 'number'
  | 'clients'
  | 'connect'
  | 'word';

const EVENT_XID = -1;
const SHAPE_OF_RESULT: ReadonlyMap<number, Shape> = new Map([
  [-1, 'number'],
  [1, 'path'],
  [4, 'dataStat'],
  [5, 'stat'],
  [8, 'names'],
  [15, 'pathStat'],
]);

/** @returns pieces that cover all bytes of the frame */
export function cutAnswer(frame: Buffer, shape: Shape, facts: RunFacts): readonly Piece[] {
  const reader = new PieceReader(frame);
  if (shape === 'word') {
    reader.rest();
    return reader.pieces;
  }
  if (shape === 'connect') {
    readConnect(reader, facts);
  } else {
    const isEvent = reader.int32('xid') === EVENT_XID;
    reader.int64('zxid');
    reader.int32('err');
    if (isEvent) readEvent(reader);
    else if (!reader.isAtEnd) readBody(reader, shape, facts, '');
  }
  reader.rest();
  return reader.pieces;
}

function readConnect(reader: PieceReader, facts: RunFacts): void {
  reader.int32('protocolVersion');
  reader.int32('timeOut');
  reader.take('sessionId', 8, facts.numbered);
  const length = reader.int32('passwd.length');
  reader.take('passwd', length, facts.numbered);
  if (!reader.isAtEnd) reader.boolean('readOnly');
}

function readEvent(reader: PieceReader): void {
  reader.int32('event.type');
  reader.int32('event.state');
  reader.buffer('event.path');
}

function readBody(reader: PieceReader, shape: Shape, facts: RunFacts, prefix: string): void {
  const name = (field: string): string => `${prefix}${field}`;
  switch (shape) {
    case 'path':
    case 'pathStat':
      reader.buffer(name('path'));
      break;
    case 'dataStat':
      reader.buffer(name('data'));
      break;
    case 'names':
    case 'namesStat':
      reader.list(name('names'), (item) => reader.buffer(item));
      break;
    case 'aclStat':
      reader.list(name('acl'), (item) => readAcl(reader, item));
      break;
    case 'number':
      reader.int32(name('number'));
      break;
    case 'clients':
      reader.list(name('clients'), (item) => readIdentity(reader, item));
      break;
    case 'results':
      readResults(reader, facts);
      break;
    default:
  }
  if (/stat$/i.test(shape)) readStat(reader, facts, name('stat'));
}

function readAcl(reader: PieceReader, item: string): void {
  reader.int32(`${item}.perms`);
  readIdentity(reader, item);
}

function readIdentity(reader: PieceReader, item: string): void {
  reader.buffer(`${item}.scheme`);
  reader.buffer(`${item}.id`);
}

function readResults(reader: PieceReader, facts: RunFacts): void {
  for (let index = 0; !reader.isAtEnd; index++) {
    const prefix = `results[${index}].`;
    const type = reader.int32(`${prefix}type`);
    const isLast = reader.boolean(`${prefix}done`);
    reader.int32(`${prefix}err`);
    if (isLast) return;
    readBody(reader, SHAPE_OF_RESULT.get(type) ?? 'nothing', facts, prefix);
  }
}

function readStat(reader: PieceReader, facts: RunFacts, stat: string): void {
  const created = reader.int64(`${stat}.czxid`);
  const modified = reader.int64(`${stat}.mzxid`);
  reader.take(`${stat}.ctime`, 8, (time) => facts.timed(time, created));
  reader.take(`${stat}.mtime`, 8, (time) => facts.timed(time, modified));
  reader.int32(`${stat}.version`);
  reader.int32(`${stat}.cversion`);
  reader.int32(`${stat}.aversion`);
  reader.take(`${stat}.ephemeralOwner`, 8, facts.numbered);
  reader.int32(`${stat}.dataLength`);
  reader.int32(`${stat}.numChildren`);
  reader.int64(`${stat}.pzxid`);
}
