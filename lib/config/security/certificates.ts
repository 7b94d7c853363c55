import { X509Certificate } from 'node:crypto';
import { errorText } from '../../kafka/errorText';
import { isPem, pemBlocks } from './pem';

/** The certificates of a PEM text, or what is wrong with it. */
export type Certificates =
  | { readonly certificates: readonly X509Certificate[]; readonly texts: readonly string[] }
  | { readonly wrong: string };

export function certificatesOf(text: string): Certificates {
  const blocks = pemBlocks(text);
  const texts = blocks.filter(({ label }) => label.endsWith('CERTIFICATE')).map((block) => block.text);
  if (texts.length === 0) return { wrong: whyNone(text, blocks.length) };
  const certificates: X509Certificate[] = [];
  for (const one of texts) {
    try {
      certificates.push(new X509Certificate(one));
    } catch (error) {
      return {
        wrong: `the certificate number ${certificates.length + 1} in it cannot be read (${opensslReason(error)})`,
      };
    }
  }
  return { certificates, texts };
}

/** Why a PEM text has not what is looked for, as far as that can be said without showing it. */
export function whyNone(text: string, blockCount: number, what = 'certificate'): string {
  if (blockCount > 0) return `there is no ${what} in it`;
  if (!isPem(text)) return `it is not PEM: there is no line -----BEGIN ${what.toUpperCase()}-----`;
  const escaped = text.includes('\\n')
    ? String.raw`; its lines end with the characters \n, not with real ends`
    : '';
  return `no block -----BEGIN …----- in it is complete${escaped}`;
}

/** The last part of `error:1C800064:Provider routines::bad decrypt`; OpenSSL does not quote what it reads. */
export function opensslReason(error: unknown): string {
  const message = errorText(error);
  return message.slice(message.lastIndexOf('::') + 1).replace(/^:/, '');
}
