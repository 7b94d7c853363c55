import type { JuteReader } from '../jute/JuteReader';
import type { JuteWriter } from '../jute/JuteWriter';
import { FAULT_NUMBERS, ZookeeperFault } from '../ZookeeperFault';
import type { ZookeeperRelease } from '../ZookeeperRelease';
import { readCheck } from './checkRequest';
import { createRequest, createWithStatRequest, FLAGS, readCreate } from './createRequest';
import { readDelete } from './deleteRequest';
import { OP } from './opCodes';
import type { Handler } from './RequestContext';
import { readSetData } from './setDataRequest';
import type { WriteRequest } from './WriteRequest';

/** Type of a result that is an error, and of the end of the list. */
const ERROR_TYPE = -1;

/** All changes or none: op code 14. */
export const handleMulti: Handler = (request, context, answer) => {
  const { release } = context.database;
  const parts = context.readWrite(() => readParts(request, (type) => readWritePart(type, request, release)));
  const outcome = context.writeAll(parts);
  for (const [index, part] of parts.entries()) {
    if ('failedAt' in outcome) {
      writePartError(errorAt(index, outcome.failedAt, FAULT_NUMBERS[outcome.code]), answer);
      continue;
    }
    writePartHeader(part.resultType, answer);
    const result = outcome.results[index];
    if (result !== undefined) part.writeResult(result, answer);
  }
  writePartsEnd(answer);
  return 'answered';
};

/** What stands in a multi: parts, each behind its header, up to a header that says "done". */
export function readParts<T>(request: JuteReader, read: (type: number) => T): T[] {
  const parts: T[] = [];
  for (;;) {
    const type = request.int32();
    const isDone = request.boolean();
    request.int32();
    if (isDone) return parts;
    parts.push(read(type));
  }
}

export function writePartHeader(type: number, answer: JuteWriter): void {
  answer.int32(type).boolean(false).int32(0);
}

/** The error's number stands there twice. */
export function writePartError(error: number, answer: JuteWriter): void {
  answer.int32(ERROR_TYPE).boolean(false).int32(error).int32(error);
}

export function writePartsEnd(answer: JuteWriter): void {
  answer.int32(ERROR_TYPE).boolean(true).int32(ERROR_TYPE);
}

/** What was found possible before the fault has no error, though it has not been done; what follows was not looked at. */
function errorAt(index: number, failedAt: number, error: number): number {
  if (index < failedAt) return 0;
  return index === failedAt ? error : FAULT_NUMBERS.RUNTIME_INCONSISTENCY;
}

/** Reads a part that changes something. */
export function readWritePart(type: number, request: JuteReader, release: ZookeeperRelease): WriteRequest {
  switch (type) {
    case OP.create:
      return release === '3.4' ? createRequest(readCreate(request)) : readNewerCreate(type, request);
    case OP.delete:
      return readDelete(request);
    case OP.setData:
      return readSetData(request);
    case OP.check:
      return readCheck(request);
    case OP.create2:
    case OP.createContainer:
    case OP.createTtl:
      if (release === '3.8') return readNewerCreate(type, request);
  }
  throw new ZookeeperFault('MARSHALLING_ERROR', `type ${type} in a multi`);
}

/** In the newer release the flags say what is to be done, and the type only where they leave it open. */
function readNewerCreate(type: number, request: JuteReader): WriteRequest {
  const question = readCreate(request);
  if (type === OP.createTtl) request.int64();
  else if (question.flags < 0 || question.flags >= FLAGS.ttl) {
    // A multi with other flags, or with a time to live that is not there, is not even read.
    throw new ZookeeperFault('MARSHALLING_ERROR', `flags ${question.flags} in a multi`);
  }
  if (type === OP.createContainer || question.flags === FLAGS.container) {
    return createWithStatRequest(question, 'container');
  }
  return type === OP.create2 ? createWithStatRequest(question, 'plain') : createRequest(question);
}
