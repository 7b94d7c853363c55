import type { JuteReader } from '../jute/JuteReader';
import { JuteWriter } from '../jute/JuteWriter';
import { ZookeeperFault } from '../ZookeeperFault';
import { readParts, readWritePart, writePartError, writePartHeader, writePartsEnd } from './multiRequest';
import { OP } from './opCodes';
import { writeChildren, writeData } from './readRequests';
import type { Handler, RequestContext } from './RequestContext';

interface ReadPart {
  readonly type: number;
  /** Null for what is no read, too. */
  readonly path: string | null;
}

/** Several reads at once, each with a result or an error of its own; nothing is watched: op code 22. */
export const handleMultiRead: Handler = (request, context, answer) => {
  const parts = readParts(request, (type) => readPart(type, request));
  const reads = parts.filter(({ type }) => isRead(type));
  if (reads.length > 0 && reads.length < parts.length) {
    throw new ZookeeperFault('MARSHALLING_ERROR', 'reads and writes in one multi');
  }
  context.mayFail('multiRead', ...parts.flatMap(({ path }) => path ?? []));
  for (const { type, path } of parts) {
    // The server breaks on it, with the results in its hands.
    if (path === null) {
      writePartsEnd(answer);
      return 'brokenOff';
    }
    const result = new JuteWriter();
    try {
      writeResult(type, path, context, result);
      writePartHeader(type, answer);
      answer.raw(result.written);
    } catch (error) {
      if (!(error instanceof ZookeeperFault)) throw error;
      writePartError(error.number, answer);
    }
  }
  writePartsEnd(answer);
  return 'answered';
};

function readPart(type: number, request: JuteReader): ReadPart {
  if (!isRead(type)) {
    readWritePart(type, request, '3.8');
    return { type, path: null };
  }
  const path = request.textOrNull();
  request.boolean();
  return { type, path };
}

function isRead(type: number): boolean {
  return type === OP.getChildren || type === OP.getData;
}

function writeResult(type: number, path: string, context: RequestContext, answer: JuteWriter): void {
  if (type === OP.getData) writeData(path, context, answer);
  else writeChildren(path, context, answer);
}
