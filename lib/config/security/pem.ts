/** One block of a PEM text. */
export interface PemBlock {
  /** For example `CERTIFICATE` or `ENCRYPTED PRIVATE KEY`. */
  readonly label: string;
  /** The whole block, in lines as OpenSSL wants them. */
  readonly text: string;
  /** Whether it can be used with a password only. */
  readonly isEncrypted: boolean;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([^\\-]*(?:-(?!----)[^\\-]*)*)-----END \1-----/g;
const LINE_LENGTH = /.{1,64}/g;

/**
 * The blocks of a PEM text; what stands between them means nothing. As the Kafka clients do, this takes blanks for the
 * ends of lines, since a properties file has a block in one line.
 */
export function pemBlocks(text: string): PemBlock[] {
  return Array.from(text.matchAll(BLOCK), ([whole, label = '', body = '']) => ({
    label,
    text: linesOf(whole, label, body),
    isEncrypted: label.startsWith('ENCRYPTED') || body.includes('Proc-Type: 4,ENCRYPTED'),
  }));
}

/** Whether the text is meant to be PEM. */
export function isPem(text: string): boolean {
  return text.includes('-----BEGIN ');
}

function linesOf(whole: string, label: string, body: string): string {
  // A key of the old encrypted kind has header lines, whose ends could not be found again.
  if (body.includes(':')) return `${whole}\n`;
  const lines = body.replace(/\s+/g, '').match(LINE_LENGTH) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}
