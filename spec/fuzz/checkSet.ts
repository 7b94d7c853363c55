import type { FetchedPartition } from '../../lib/kafka/fetch';
import { scanMessageSet } from '../../lib/kafka/records/messageSet';
import {
  decodeByReference,
  type ReferenceFault,
  type ReferenceMessage,
  type ReferenceResult,
} from '../support/records/referenceDecoder';
import { scanByReference } from '../support/records/referenceScan';
import type { AllocationMeter } from './AllocationMeter';
import { must } from './FuzzFailure';
import { MAX_INFLATED_BYTES, mostSetBytes, zstdOfLib } from './limits';
import { readSetByLib, type LibMessage, type LibResult } from './readByLib';

/** More than anything here can say that it comes to, and the most that node:zlib takes. */
const WITHOUT_LIMIT = 2 ** 32;

function sameBytes(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}

function sameMessage(ours: LibMessage, theirs: ReferenceMessage): boolean {
  const time = theirs.timestamp === null ? null : Number(theirs.timestamp);
  return (
    BigInt(ours.offset) === theirs.offset &&
    sameBytes(ours.key, theirs.key) &&
    sameBytes(ours.value, theirs.value) &&
    ours.timestampType === theirs.timestampType &&
    (theirs.isTimeExact ? ours.timestamp === time : typeof ours.timestamp === 'number') &&
    ours.headers.length === theirs.headers.length &&
    theirs.headers.every(({ key, value }, index) => {
      const header = ours.headers[index];
      return header?.key === key && sameBytes(header.value, value);
    })
  );
}

function textOf(message: LibMessage | ReferenceMessage | undefined): string {
  if (message === undefined) return 'nothing';
  const { offset, key, value, timestamp, timestampType, headers } = message;
  const hex = (bytes: Buffer | null): string => bytes?.toString('hex').slice(0, 80) ?? 'null';
  const pairs = headers.map((header) => `${header.key}=${hex(header.value)}`);
  return `${offset}: ${hex(key)} = ${hex(value)}, ${timestampType} ${timestamp}, [${pairs.join()}]`;
}

function mustHaveSameMessages(ours: LibResult, theirs: ReferenceResult): void {
  const count = Math.max(ours.messages.length, theirs.messages.length);
  for (let n = 0; n < count; n += 1) {
    const [one, right] = [ours.messages[n], theirs.messages[n]];
    const isSame = one !== undefined && right !== undefined && sameMessage(one, right);
    const end = `${ours.error?.message ?? 'no fault'} / ${theirs.fault?.why ?? 'no fault'}`;
    must(isSame, () => `message ${n} is ${textOf(one)}\n  instead of  ${textOf(right)}\n  (${end})`);
  }
}

function mustHaveSameFault(
  { error }: LibResult,
  fault: ReferenceFault | null,
  { topic, partition }: FetchedPartition,
  fromOffset: number,
): void {
  if (error === null || fault === null) {
    const instead = fault === null ? 'no fault' : `${fault.code}: ${fault.why}`;
    must(error === null && fault === null, () => `${error?.message ?? 'no error'} for ${instead}`);
    return;
  }
  const { context } = error;
  must(
    context.topic === topic && context.partition === partition,
    () => `an error elsewhere: ${error.message}`,
  );
  const { offset = -1, nextOffset = -1 } = context;
  must(nextOffset > fromOffset && nextOffset > offset, () => `no way past: ${error.message}`);
  const isSame =
    error.code === fault.code && BigInt(offset) === fault.offset && BigInt(nextOffset) === fault.nextOffset;
  must(
    isSame,
    () =>
      `${error.code} at ${offset}, next ${nextOffset} (${error.message})\n` +
      `  instead of ${fault.code} at ${fault.offset}, next ${fault.nextOffset} (${fault.why})`,
  );
}

function checkScan(records: Buffer): void {
  const ours = scanMessageSet(records);
  const theirs = scanByReference(records);
  const isSame =
    ours.validBytes === theirs.validBytes &&
    BigInt(ours.nextOffset) === theirs.nextOffset &&
    ours.damaged === theirs.damaged;
  must(isSame, () => `the scan is ${JSON.stringify(ours)}, and not up to ${theirs.nextOffset}`);
}

/** Reads one set from one offset on, by both; throws FuzzFailure where they differ, or too much was asked for. */
export function checkSet(
  fetched: FetchedPartition,
  fromOffset: number,
  { isCommittedOnly, unpinAt }: { readonly isCommittedOnly: boolean; readonly unpinAt: number },
  meter: AllocationMeter,
): ReferenceResult {
  const { records, abortedTransactions } = fetched;
  const aborted = isCommittedOnly ? abortedTransactions : [];
  const decode = (maxInflatedBytes: number): ReferenceResult =>
    decodeByReference(records, {
      ...{ fromOffset: BigInt(fromOffset), maxInflatedBytes, zstd: zstdOfLib },
      aborted: aborted.map((one) => ({
        producerId: BigInt(one.producerId),
        firstOffset: BigInt(one.firstOffset),
      })),
    });
  const theirs = decode(MAX_INFLATED_BYTES);
  checkScan(records);
  const read = (maxInflatedBytes: number): LibResult => {
    const options = { maxInflatedBytes, abortedTransactions: aborted };
    const how = { fromOffset, unpinAt, mostMessages: theirs.messages.length };
    return readSetByLib(fetched, how, options);
  };
  let ours: LibResult = { messages: [], error: null };
  const bytes = meter.measure(() => (ours = read(MAX_INFLATED_BYTES)));
  mustHaveSameMessages(ours, theirs);
  // Of a set that is both damaged and too large it matters little which is found first.
  const codes = `${ours.error?.code} ${theirs.fault?.code}`;
  if (codes === 'MESSAGE_CORRUPT MESSAGE_TOO_LARGE') {
    mustHaveSameFault(ours, decode(WITHOUT_LIMIT).fault, fetched, fromOffset);
  } else if (codes === 'MESSAGE_TOO_LARGE MESSAGE_CORRUPT') {
    mustHaveSameFault(read(WITHOUT_LIMIT), theirs.fault, fetched, fromOffset);
  } else mustHaveSameFault(ours, theirs.fault, fetched, fromOffset);
  // A compressed set that was being read is opened once more when it has been copied.
  const most = mostSetBytes(records, theirs.setsOpened + 1);
  must(bytes <= most, () => `${bytes} bytes are asked for, and ${most} are the most`);
  return theirs;
}
