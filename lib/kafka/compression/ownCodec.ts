import { isUint8Array } from 'node:util/types';
import { shownValue } from '../../config/shownValue';
import { errorText } from '../errorText';
import type { CodecName, Decompressor, Inflate } from './codecs';
import { isTooLarge, TooLargeError } from './damage';

/** What an application's codec did wrong. The bytes may be right, so it is not their damage. */
export class OwnCodecError extends Error {
  override readonly name = 'OwnCodecError';
}

/** An application's codec, with a clear error for whatever it throws or returns wrongly. */
export function checkedCodec(name: CodecName, codec: Decompressor): Inflate {
  return (compressed, maxBytes) => {
    const given = called(name, codec, compressed, maxBytes);
    if (!isUint8Array(given)) throw wrongResult(name, given);
    if (given.length > maxBytes) throw new TooLargeError(maxBytes);
    return Buffer.isBuffer(given) ? given : Buffer.from(given.buffer, given.byteOffset, given.length);
  };
}

function called(name: CodecName, codec: Decompressor, compressed: Buffer, maxBytes: number): unknown {
  try {
    return codec(compressed, maxBytes);
  } catch (error) {
    if (isTooLarge(error)) throw error;
    throw new OwnCodecError(`the application's ${name} codec threw: ${errorText(error)}`, { cause: error });
  }
}

function wrongResult(name: CodecName, given: unknown): OwnCodecError {
  const { then } = Object(given) as { then?: unknown };
  if (typeof then !== 'function') {
    return new OwnCodecError(
      `the application's ${name} codec returned ${shownValue(given)} in place of a Uint8Array`,
    );
  }
  // Nobody else waits for it, and its rejection would end the process.
  Promise.resolve(given).catch(() => undefined);
  return new OwnCodecError(
    `the application's ${name} codec returned a Promise, and it must return a Uint8Array at once`,
  );
}
