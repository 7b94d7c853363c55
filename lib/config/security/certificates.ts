import { X509Certificate } from 'node:crypto';
import { errorText } from '../../kafka/errorText';
import { pemParts, type PemPart } from './pem';

/** The certificates of a PEM text, or what is wrong with it. */
export type Certificates =
  | { readonly certificates: readonly X509Certificate[]; readonly texts: readonly string[] }
  | { readonly wrong: string };

export function certificatesOf(text: string): Certificates {
  const parts = pemParts(text);
  const found = parts.filter(isOfCertificate);
  if (found.length === 0) return { wrong: whyNone(parts.length, 'certificate') };
  const certificates: X509Certificate[] = [];
  const texts: string[] = [];
  for (const part of found) {
    const subject = `the certificate number ${certificates.length + 1} in it`;
    if (!part.isComplete) return { wrong: `${subject} ${part.wrong}` };
    try {
      certificates.push(new X509Certificate(part.text));
      texts.push(part.text);
    } catch (error) {
      return { wrong: `${subject} cannot be read (${opensslReason(error)})` };
    }
  }
  return { certificates, texts };
}

/** Of a cut line nothing may be left but its beginning. */
function isOfCertificate({ isComplete, label }: PemPart): boolean {
  return label.endsWith('CERTIFICATE') || (!isComplete && 'CERTIFICATE'.startsWith(label));
}

/** Why a PEM text has not what is looked for, as far as that can be said without showing it. */
export function whyNone(partCount: number, what: 'certificate' | 'private key'): string {
  if (partCount > 0) return `there is no ${what} in it`;
  return `it is not PEM: there is no line -----BEGIN ${what.toUpperCase()}-----`;
}

/** The last part of `error:1C800064:Provider routines::bad decrypt`; OpenSSL does not quote what it reads. */
export function opensslReason(error: unknown): string {
  const message = errorText(error);
  return message.slice(message.lastIndexOf('::') + 1).replace(/^:/, '');
}
