interface Lost {
  /** Null or absent: whatever is due next. */
  readonly firstOffset?: bigint | null;
  /** Absent: the first one only. */
  readonly lastOffset?: bigint;
  readonly isChecksum?: boolean;
}

/** Ends the reading by the reference decoder. */
export class FoundFault extends Error {
  override readonly name = 'FoundFault';
  readonly code: string;
  readonly firstOffset: bigint | null;
  readonly lastOffset: bigint | null;
  readonly isChecksum: boolean;

  constructor(code: string, why: string, { firstOffset, lastOffset, isChecksum }: Lost = {}) {
    super(why);
    this.code = code;
    this.firstOffset = firstOffset ?? null;
    this.lastOffset = lastOffset ?? null;
    this.isChecksum = isChecksum ?? false;
  }
}
