import { ConnectorError } from '../errors';
import { znodeError, type ZnodeData } from './znodeText';

/** Stands for "no offset is stored"; a stored negative number means the same to the JVM members. */
export const NO_OFFSET = -1;

/** The text of an offset node: the next offset to read, in plain decimal digits. */
export function encodeOffset(nextOffset: number): Buffer {
  if (!Number.isSafeInteger(nextOffset) || nextOffset < 0) {
    throw new ConnectorError(
      'OFFSET_INVALID',
      `${nextOffset} cannot be stored as an offset: it must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}`,
    );
  }
  return Buffer.from(nextOffset.toString());
}

/** Returns NO_OFFSET for a negative number. */
export function decodeOffset(data: ZnodeData, path: string): number {
  const text = data?.toString('latin1') ?? '';
  const offset = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(offset)) {
    throw znodeError(
      { code: 'OFFSET_INVALID', what: 'offset', path },
      text,
      `is not a plain decimal number from 0 to ${Number.MAX_SAFE_INTEGER} (no blanks, no line end)`,
    );
  }
  return offset < 0 ? NO_OFFSET : Math.abs(offset);
}
