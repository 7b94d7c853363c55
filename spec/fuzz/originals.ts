import { readAnswer } from '../support/records/readAnswer';
import { decodeByReference, type ReferenceMessage } from '../support/records/referenceDecoder';
import type { Sample } from '../support/records/sampleAnswers';
import type { FuzzCase } from './FuzzCase';
import { entriesIn } from './mutations/entries';
import { must } from './FuzzFailure';
import { MAX_INFLATED_BYTES, zstdOfLib } from './limits';

/** What is in an answer before it is spoilt. */
interface Content {
  /** Messages without and with their offsets. */
  readonly messages: ReadonlySet<string>;
  readonly placed: ReadonlySet<string>;
  readonly entries: ReadonlySet<string>;
}

const KNOWN = new WeakMap<Sample, Content>();

function textOf({ key, value, timestamp, timestampType, headers }: ReferenceMessage): string {
  const latin = (bytes: Buffer | null): string | null => bytes?.toString('latin1') ?? null;
  const pairs = headers.map((header) => [header.key, latin(header.value)]);
  return JSON.stringify([latin(key), latin(value), String(timestamp), timestampType, pairs]);
}

function allRecords(sample: Sample): Buffer[] {
  return sample.answer.topics.flatMap(({ partitions }) => partitions.flatMap(({ records }) => records ?? []));
}

function entryTexts(records: readonly Buffer[]): string[] {
  return records.flatMap((one) => entriesIn(one).entries.map((entry) => entry.toString('latin1')));
}

function contentOf(sample: Sample): Content {
  const known = KNOWN.get(sample);
  if (known !== undefined) return known;
  const messages = new Set<string>();
  const placed = new Set<string>();
  for (const records of allRecords(sample)) {
    // Each entry by itself, so that one that comes behind a later one is known, too.
    for (const entry of entriesIn(records).entries) {
      const options = { fromOffset: 0n, maxInflatedBytes: MAX_INFLATED_BYTES, aborted: [], zstd: zstdOfLib };
      for (const message of decodeByReference(entry, options).messages) {
        messages.add(textOf(message));
        placed.add(`${message.offset} ${textOf(message)}`);
      }
    }
  }
  const content = { messages, placed, entries: new Set(entryTexts(allRecords(sample))) };
  KNOWN.set(sample, content);
  return content;
}

/**
 * Behind a checksum that was not mended there can be nothing but what was there before. Offsets of entries are not covered
 * by a checksum, so they are compared only if all entries are as they were.
 */
export function mustBeOriginal(one: FuzzCase, messages: readonly ReferenceMessage[]): void {
  const contents = one.samples.map(contentOf);
  const { topics } = readAnswer(one.version, one.body);
  const records = topics.flatMap(({ partitions }) =>
    partitions.flatMap((partition) => partition.records ?? []),
  );
  const isUnchanged = entryTexts(records).every((text) => contents.some(({ entries }) => entries.has(text)));
  for (const message of messages) {
    const text = isUnchanged ? `${message.offset} ${textOf(message)}` : textOf(message);
    const isKnown = contents.some((content) => (isUnchanged ? content.placed : content.messages).has(text));
    must(isKnown, () => `a message that was never there: ${text}`);
  }
}
