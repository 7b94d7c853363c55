import { connect, type Socket } from 'node:net';

import { failAndExit, type Job } from './job';

/**
 * One request after the other. The system writes what it receives straight into the answer's own buffer, its size first,
 * then the rest, so that no byte is copied.
 */
export class BareSocket {
  readonly #socket: Socket;
  /** Where the next bytes go: the four of a size, or an answer. */
  #target = Buffer.allocUnsafeSlow(4);
  #filledBytes = 0;
  #onAnswer: (answer: Buffer) => void = () => undefined;

  constructor({ host, port }: Job['broker']) {
    const onread = {
      buffer: () => this.#target.subarray(this.#filledBytes),
      callback: (receivedBytes: number) => this.#receive(receivedBytes),
    };
    this.#socket = connect({ host, port, noDelay: true, onread });
    this.#socket.on('error', failAndExit);
  }

  /** The answer without its size; it begins with the number of the request. */
  ask(request: Buffer): Promise<Buffer> {
    return new Promise((resolve) => {
      this.#onAnswer = resolve;
      this.#socket.write(request);
    });
  }

  #receive(receivedBytes: number): true {
    this.#filledBytes += receivedBytes;
    if (this.#filledBytes < this.#target.length) return true;
    const target = this.#target;
    const isSize = target.length === 4;
    this.#target = Buffer.allocUnsafeSlow(isSize ? target.readInt32BE() : 4);
    this.#filledBytes = 0;
    if (!isSize) this.#onAnswer(target);
    return true;
  }
}
