/** Where they are in a connect answer. */
const ID_AT = 8;
const PASSWORD_AT = 20;
const PASSWORD_END = PASSWORD_AT + 16;

/**
 * What is a run's own, and how it is told in a way that is the same on every server: sessions and their passwords by
 * the order in which they appeared, times by the change that has them. Zxids need no such care: a fresh server counts
 * from the same number, and its scripts make all changes that there are.
 */
export class RunFacts {
  /** Of sessions; by the hexadecimal digits of an id or a password. */
  readonly #numbers = new Map<string, Buffer>();
  /** Of changes; by the hexadecimal digits of the zxid. */
  readonly #times = new Map<string, Buffer>();
  readonly #startedMs = Date.now();
  #endedMs = Infinity;
  #sessions = 0;

  /** Nothing is learned any more. */
  end(): void {
    this.#endedMs = Date.now();
  }

  /** Sessions that this answer speaks of for the first time get the next number. */
  learn(connectAnswer: Buffer): void {
    const id = connectAnswer.subarray(ID_AT, ID_AT + 8);
    if (id.length < 8 || isZero(id) || this.#numbers.has(id.toString('hex'))) return;
    this.#sessions += 1;
    for (const bytes of [id, connectAnswer.subarray(PASSWORD_AT, PASSWORD_END)]) {
      const number = Buffer.alloc(bytes.length);
      number.writeUInt32BE(this.#sessions);
      this.#numbers.set(bytes.toString('hex'), number);
    }
  }

  /** The number of the session whose id or password this is, in as many bytes; what is nobody's stays as it is. */
  numbered = (bytes: Buffer): Buffer => this.#numbers.get(bytes.toString('hex')) ?? bytes;

  /**
   * The zxid instead of the time, if this is the time that the change has had whenever it was told, and if it lies
   * within the run; else the time as it is. The root, which nobody created, has none.
   */
  timed(time: Buffer, zxid: Buffer): Buffer {
    if (time.length < 8 || !this.#isNow(Number(time.readBigInt64BE()))) return time;
    const key = zxid.toString('hex');
    if (!this.#times.has(key) && this.#endedMs === Infinity) this.#times.set(key, time);
    return this.#times.get(key)?.equals(time) ? zxid : time;
  }

  #isNow(ms: number): boolean {
    return ms >= this.#startedMs && ms <= this.#endedMs;
  }
}

function isZero(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0);
}
