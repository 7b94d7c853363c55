import type { FetchAnswer as LibAnswer } from '../../lib/kafka/fetch';
import { ConnectorError } from '../../lib/errors';
import type { FetchAnswer } from '../support/records/fetchAnswer';
import { readAnswer } from '../support/records/readAnswer';
import { Unreadable } from '../support/records/SlowReader';
import type { AllocationMeter } from './AllocationMeter';
import type { FuzzCase } from './FuzzCase';
import { must } from './FuzzFailure';
import { mostAnswerBytes } from './limits';
import { readAnswerByLib } from './readByLib';

function byReference({ version, body }: FuzzCase): FetchAnswer | null {
  try {
    return readAnswer(version, body);
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** The same partitions with the same fields. */
function mustAgree(ours: LibAnswer, theirs: FetchAnswer): void {
  must(ours.errorCode === theirs.errorCode, () => `error ${ours.errorCode}, not ${theirs.errorCode}`);
  const expected = theirs.topics.flatMap(({ topic, partitions }) =>
    partitions.map((one) => ({ topic, ...one })),
  );
  must(ours.partitions.length === expected.length, () => `${ours.partitions.length} partitions`);
  ours.partitions.forEach((one, index) => {
    const right = expected[index];
    const isRight =
      right !== undefined &&
      one.topic === right.topic &&
      one.partition === right.partition &&
      one.errorCode === right.errorCode &&
      BigInt(one.highWatermark) === right.highWatermark &&
      one.records.equals(right.records ?? Buffer.alloc(0)) &&
      listText(one.abortedTransactions) === listText(right.aborted ?? []);
    must(isRight, () => `partition ${index} of the answer is read wrongly`);
  });
}

function listText(
  list: readonly { readonly producerId: number | bigint; readonly firstOffset: number | bigint }[],
): string {
  return list.map(({ producerId, firstOffset }) => `${producerId}@${firstOffset}`).join();
}

/** What both make of the layout of an answer; null if it has another layout, for which there is one error. */
export function checkAnswer(
  one: FuzzCase,
  meter: AllocationMeter,
): { readonly ours: LibAnswer; readonly theirs: FetchAnswer } | null {
  const theirs = byReference(one);
  let ours: LibAnswer | ConnectorError | undefined;
  const bytes = meter.measure(() => (ours = readAnswerByLib(one.version, one.body)));
  must(bytes <= mostAnswerBytes(one.body), () => `${bytes} bytes are asked for to read an answer`);
  if (ours === undefined) return null;
  if (ConnectorError.is(ours)) {
    const { code, message } = ours;
    must(code === 'BROKER_ERROR', () => `an answer ends in ${code}`);
    must(theirs === null, () => `a right answer is refused: ${message}`);
    return null;
  }
  must(theirs !== null, () => 'an answer of another layout is read');
  mustAgree(ours, theirs);
  return { ours, theirs };
}
