/** What a frame begins with: the length of what follows, and the id of the request that it answers. */
const LENGTH_BYTES = 4;
const CORRELATION_BYTES = 4;
const HTTP = 0x48545450;
const TLS_RECORD_TYPES = [0x15, 0x16];

/** Room for what comes while no answer is being filled: its header, and what the network has of it by then. */
const SCRATCH_BYTES = 64 * 1024;

/** The answer that has to come next. */
export interface DueAnswer {
  /** Id of the request; null for a token of a login (SaslHandshake v0), which has a length in front and no id. */
  readonly id: number | null;
  /** Longest frame taken, without its length. */
  readonly maxBytes: number;
  /** How much of the body of a longer one is delivered before it is refused, `maxBytes` at most; 0: it is refused at once. */
  readonly headBytes: number;
}

/** Thrown for bytes that are no answer of a broker. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/**
 * Cuts the bytes of a connection into answers. Length and correlation id are checked before a frame gets its buffer, which
 * has the exact size and is filled once; so what is not Kafka's protocol costs nothing and is found out at its first bytes.
 * Of a frame that is too long the head may be wanted; it is the last thing that is delivered.
 */
export class FrameReader {
  /** Where headers are read to, with what comes together with them. */
  readonly #scratch = Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  /** The answer that is due; undefined if none is. */
  readonly #due: () => DueAnswer | undefined;
  /** Takes the body of an answer: what follows length and id; `isCut` if it is but the head of one that is too long. */
  readonly #deliver: (body: Buffer, isCut: boolean) => void;
  /** The first bytes of the frame being read. */
  readonly #header = Buffer.alloc(LENGTH_BYTES + CORRELATION_BYTES);
  /** How many of these have come. */
  #headerBytes = 0;
  /** The frame being filled; null before its header is complete. */
  #body: Buffer | null = null;
  /** How much of it has come. */
  #bodyBytes = 0;
  /** Thrown when the head of a frame that is too long has been delivered. */
  #refusal: FrameError | null = null;
  /** True once no more is to be delivered. */
  #stopped = false;

  constructor(due: () => DueAnswer | undefined, deliver: (body: Buffer, isCut: boolean) => void) {
    this.#due = due;
    this.#deliver = deliver;
  }

  /** True if a frame has begun to come and is not complete. */
  get inside(): boolean {
    return this.#headerBytes > 0;
  }

  /** Where the next bytes of the connection are to be put: into the frame being filled, if there is one. */
  room(): Buffer {
    return this.#body === null ? this.#scratch : this.#body.subarray(this.#bodyBytes);
  }

  /** So many bytes have come, at the beginning of what `room` gave, or of any other buffer. Throws FrameError. */
  filled(buffer: Buffer, bytes: number): void {
    if (this.#body === null || buffer.buffer !== this.#body.buffer) {
      this.push(buffer.subarray(0, bytes));
      return;
    }
    this.#bodyBytes += bytes;
    if (this.#bodyBytes === this.#body.length) this.#complete(this.#body);
  }

  /** Takes the next chunk of the connection; throws FrameError. */
  push(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length && !this.#stopped) {
      at = this.#body === null ? this.#readHeader(chunk, at) : this.#readBody(this.#body, chunk, at);
    }
  }

  /** Lets go of the frame being filled; what still comes is ignored. */
  stop(): void {
    this.#stopped = true;
    this.#body = null;
  }

  #readHeader(chunk: Buffer, from: number): number {
    const due = this.#due();
    const idBytes = due?.id === null ? 0 : CORRELATION_BYTES;
    const before = this.#headerBytes;
    const end = Math.min(chunk.length, from + LENGTH_BYTES + idBytes - before);
    chunk.copy(this.#header, before, from, end);
    this.#headerBytes = before + end - from;
    const came = chunk.subarray(from);
    if (before < LENGTH_BYTES && this.#headerBytes >= LENGTH_BYTES) this.#checkLength(due, idBytes, came);
    if (this.#headerBytes === LENGTH_BYTES + idBytes) {
      if (idBytes > 0) this.#checkId(due, came);
      const wholeBytes = this.#header.readInt32BE(0) - idBytes;
      const sizeBytes =
        this.#refusal === null || due === undefined ? wholeBytes : Math.min(due.headBytes, due.maxBytes);
      this.#body = Buffer.allocUnsafeSlow(sizeBytes);
      this.#bodyBytes = 0;
      if (sizeBytes === 0) this.#complete(this.#body);
    }
    return end;
  }

  #readBody(body: Buffer, chunk: Buffer, from: number): number {
    const copied = chunk.copy(body, this.#bodyBytes, from);
    this.#bodyBytes += copied;
    if (this.#bodyBytes === body.length) this.#complete(body);
    return from + copied;
  }

  #complete(body: Buffer): void {
    this.#body = null;
    this.#headerBytes = 0;
    this.#deliver(body, this.#refusal !== null);
    if (this.#refusal !== null) throw this.#refusal;
  }

  #checkLength(due: DueAnswer | undefined, idBytes: number, came: Buffer): void {
    if (due === undefined) throw new FrameError(`bytes came that nothing was asked for: ${show(came)}`);
    const length = this.#header.readInt32BE(0);
    if (length >= idBytes && length <= due.maxBytes) return;
    const announced = `an answer of ${length} bytes was announced, at most ${due.maxBytes} are taken`;
    if (length > due.maxBytes && due.headBytes > 0) this.#refusal = new FrameError(announced);
    else throw new FrameError(`${announced}; ${this.#describe(came)}`);
  }

  #checkId(due: DueAnswer | undefined, came: Buffer): void {
    const id = this.#header.readInt32BE(LENGTH_BYTES);
    const expected = due?.id;
    if (id !== expected) {
      throw new FrameError(
        `an answer with id ${id} came where ${expected ?? 'none'} is due; ${this.#describe(came)}`,
      );
    }
  }

  /** What the bytes look like, for people who have the wrong port. */
  #describe(came: Buffer): string {
    const first = this.#header.readInt32BE(0);
    const isTls = TLS_RECORD_TYPES.includes(first >>> 24) && ((first >>> 16) & 0xff) === 3;
    const what =
      first === HTTP ? 'it is HTTP' : isTls ? 'it is TLS' : 'it is not an answer of a Kafka broker';
    const printable = this.#headerBytes > came.length ? this.#header.subarray(0, this.#headerBytes) : came;
    const advice = isTls
      ? 'set security.protocol to SSL or SASL_SSL'
      : 'the address is probably not that of a Kafka broker';
    return `${what}: ${advice}; it begins with ${show(printable)}`;
  }
}

const SHOWN_BYTES = 32;

function show(bytes: Buffer): string {
  const shown = bytes.subarray(0, SHOWN_BYTES);
  return shown.every((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 0x0a || byte === 0x0d)
    ? JSON.stringify(shown.toString('latin1'))
    : `hex ${shown.toString('hex')}`;
}
