/** One block of a PEM text. */
export interface PemBlock {
  readonly isComplete: true;
  /** For example `CERTIFICATE` or `ENCRYPTED PRIVATE KEY`. */
  readonly label: string;
  /** The whole block, in lines as OpenSSL wants them. */
  readonly text: string;
  /** Whether it can be used with a password only. */
  readonly isEncrypted: boolean;
}

/** A BEGIN line without its END line, or the other way round: something has been cut off. */
export interface PemFragment {
  readonly isComplete: false;
  /** May be cut off, too. Not to be shown: it may have a part of a key. */
  readonly label: string;
  /** For messages. */
  readonly wrong: string;
}

export type PemPart = PemBlock | PemFragment;

/** A block, or a line that belongs to none. */
const PART =
  /-----BEGIN ([A-Z0-9 ]+)-----([^\\-]*(?:-(?!----)[^\\-]*)*)-----END \1-----|-----(BEGIN|END)(?: ([A-Z0-9 ]*))?/g;
const LINE_LENGTH = /.{1,64}/g;

/**
 * The parts of a PEM text; what stands between them means nothing. As the Kafka clients do, this takes blanks for the
 * ends of lines, since a properties file has a block in one line.
 */
export function pemParts(text: string): PemPart[] {
  return Array.from(text.matchAll(PART), ([whole, label, body = '', marker, fragmentLabel = '']) =>
    label === undefined
      ? { isComplete: false, label: fragmentLabel, wrong: whatIsMissing(text, marker === 'BEGIN') }
      : {
          isComplete: true,
          label,
          text: linesOf(whole, label, body),
          isEncrypted: label.startsWith('ENCRYPTED') || body.includes('Proc-Type: 4,ENCRYPTED'),
        },
  );
}

/** Whether the text is meant to be PEM. */
export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ');
}

function whatIsMissing(text: string, hasBegin: boolean): string {
  if (text.includes('\\n'))
    return String.raw`is not complete: its lines end with the characters \n, not with real ends`;
  return hasBegin
    ? 'is not complete: no END line belongs to its BEGIN line'
    : 'is not complete: no BEGIN line belongs to its END line';
}

function linesOf(whole: string, label: string, body: string): string {
  // A key of the old encrypted kind has header lines, whose ends could not be found again.
  if (body.includes(':')) return `${whole}\n`;
  const lines = body.replace(/\s+/g, '').match(LINE_LENGTH) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
