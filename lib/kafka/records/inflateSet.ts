import { codecName, inflaterOf, isTooLarge, type Codecs } from '../compression/codecs';
import { OwnCodecError } from '../compression/ownCodec';
import { errorText } from '../errorText';
import { MessageFault } from './MessageFault';

/** How compressed sets are inflated. */
export interface Inflating {
  readonly codecs: Codecs;
  /** Most bytes that one compressed set may come to. */
  readonly maxBytes: number;
}

/** Inflates a compressed set; `firstOffset` and `lastOffset` are what is lost if it cannot be. */
export function inflateSet(
  { codecs, maxBytes }: Inflating,
  codec: number,
  magic: 0 | 1 | 2,
  compressed: Buffer,
  firstOffset: number | null,
  lastOffset: number,
): Buffer {
  const inflate = inflaterOf(codecs, codec, magic);
  const fault = (code: MessageFault['code'], why: string, cause?: unknown): MessageFault =>
    new MessageFault(code, why, firstOffset, lastOffset, cause);
  if (inflate === null) throw fault('CODEC_UNSUPPORTED', `the codec ${codecName(codec)} is not known`);
  try {
    return inflate(compressed, maxBytes);
  } catch (error) {
    if (isTooLarge(error)) {
      const why = `the compressed set comes to more than ${maxBytes} bytes, the most that is taken`;
      throw fault('MESSAGE_TOO_LARGE', why, error);
    }
    if (error instanceof OwnCodecError) throw fault('DECODE_FAILED', error.message, error.cause ?? error);
    throw fault('MESSAGE_CORRUPT', `no right ${codecName(codec)} set: ${errorText(error)}`, error);
  }
}
