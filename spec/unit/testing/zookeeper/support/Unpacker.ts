/** What an answer tells of a node. */
export interface UnpackedStat {
  readonly czxid: bigint;
  readonly mzxid: bigint;
  readonly ctimeMs: number;
  readonly mtimeMs: number;
  readonly version: number;
  readonly cversion: number;
  readonly aversion: number;
  readonly ephemeralOwner: bigint;
  readonly dataLength: number;
  readonly numChildren: number;
  readonly pzxid: bigint;
}

/** Reads jute, with a decoder that shares nothing with the servers' encoder. */
export class Unpacker {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get rest(): Buffer {
    return this.#bytes.subarray(this.#at);
  }

  int(): number {
    this.#at += 4;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  long(): bigint {
    this.#at += 8;
    return this.#bytes.readBigInt64BE(this.#at - 8);
  }

  bool(): boolean {
    this.#at += 1;
    return this.#bytes.readUInt8(this.#at - 1) === 1;
  }

  buffer(): Buffer | null {
    const length = this.int();
    if (length < 0) return null;
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  text(): string | null {
    return this.buffer()?.toString() ?? null;
  }

  texts(): (string | null)[] {
    return Array.from({ length: this.int() }, () => this.text());
  }

  acl(): string[] {
    return Array.from(
      { length: this.int() },
      () => `${this.int()} ${this.text() ?? ''}:${this.text() ?? ''}`,
    );
  }

  stat(): UnpackedStat {
    return {
      czxid: this.long(),
      mzxid: this.long(),
      ctimeMs: Number(this.long()),
      mtimeMs: Number(this.long()),
      version: this.int(),
      cversion: this.int(),
      aversion: this.int(),
      ephemeralOwner: this.long(),
      dataLength: this.int(),
      numChildren: this.int(),
      pzxid: this.long(),
    };
  }

  /** Errors of all parts, when all of them are errors. */
  partErrors(): number[] {
    const errors: number[] = [];
    for (;;) {
      const [type, isDone, error] = [this.int(), this.bool(), this.int()];
      if (isDone) return errors;
      if (type !== -1 || this.int() !== error) throw new Error(`no error: type ${type}, ${error}`);
      errors.push(error);
    }
  }
}
