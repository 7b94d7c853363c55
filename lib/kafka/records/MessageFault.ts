import type { ConnectorErrorCode } from '../../errors';

/** Why messages cannot be handed out; the cursor adds in which topic and partition. */
export class MessageFault extends Error {
  override readonly name = 'MessageFault';
  readonly code: ConnectorErrorCode;
  /** Offset of the last message that is lost by it: the way past leads behind that. */
  readonly lastOffset: number;
  /** Offset of the first one; null if unknown: then whatever was due next. */
  readonly firstOffset: number | null;

  constructor(
    code: ConnectorErrorCode,
    why: string,
    firstOffset: number | null,
    lastOffset: number,
    cause?: unknown,
  ) {
    super(why, { cause });
    this.code = code;
    this.firstOffset = firstOffset;
    this.lastOffset = lastOffset;
  }
}
