import type { OnReadOpts } from 'node:net';

/** Takes the bytes of a connection, in memory of its own, so that a long answer is read to where it stays. */
export interface BytesSink {
  /** Where the next bytes are to be put. */
  room(): Buffer;
  /** So many bytes have come, at the beginning of `buffer`, which is what `room` gave last or another one. Never throws. */
  filled(buffer: Buffer, bytes: number): void;
}

/** More than this may be read at once only by a sink with larger room. */
const ROOM_BYTES = 1024;

/**
 * Holds what comes before a connection has its sink. No broker speaks first, and a socket that is paused reads nothing; but
 * behind a TLS handshake bytes may come with its end. Then it stops the reading.
 */
export class EarlyBytes {
  readonly #room = Buffer.allocUnsafeSlow(ROOM_BYTES);
  /** What has come there. */
  readonly #held: Buffer[] = [];
  /** null before `goTo`. */
  #sink: BytesSink | null = null;

  /** What a socket is to be made with. */
  readonly onread: OnReadOpts = {
    buffer: () => this.#sink?.room() ?? this.#room,
    callback: (bytes, buffer) => {
      if (this.#sink === null) {
        this.#held.push(Buffer.from(this.#room.subarray(0, bytes)));
        return false;
      }
      this.#sink.filled(buffer as Buffer, bytes);
      return true;
    },
  };

  /** All bytes go there from now on, those held first. Then the socket must be resumed. */
  goTo(sink: BytesSink): void {
    this.#sink = sink;
    for (const held of this.#held.splice(0)) sink.filled(held, held.length);
  }
}
