import type { Socket } from 'node:net';

import type { ClientConnection, Conversation } from './Conversation';
import { DelayLine } from './DelayLine';
import type { EmbeddedNetwork, FaultyConnection } from './EmbeddedNetwork';
import { FrameSplitter } from './FrameSplitter';
import { resetSocket } from './resetSocket';

/** If more is waiting on its way in or out, a connection is not read. */
const MOST_WAITING_BYTES = 1024 * 1024;

/** What a frame that is waiting takes beside its bytes. */
const WAITING_FRAME_BYTES = 100;

export interface ConnectionTraits {
  readonly server: 'zookeeper' | 'broker';
  readonly number: number;
  readonly maxFrameBytes: number;
  /** The answer to a word of four letters in place of a first frame's length, or null if it is no such word. */
  readonly plainCommand?: ((word: string) => string | null) | undefined;
}

/**
 * A client's socket, with the faults of the network on the way in both directions. Requests wait while the conversation
 * is busy or the client does not take its answers; when many wait, nothing is read any more.
 */
export class SocketConnection implements ClientConnection, FaultyConnection {
  readonly id: number;
  readonly remotePort: number;
  readonly server: 'zookeeper' | 'broker';
  readonly number: number;
  readonly #socket: Socket;
  readonly #network: EmbeddedNetwork;
  readonly #traits: ConnectionTraits;
  readonly #splitter: FrameSplitter;
  readonly #requests = new DelayLine();
  readonly #answers = new DelayLine();
  #client: string | null = null;
  #isOpen = true;
  /** The end has been said, or an answer was cut: nothing is heard or said any more. */
  #isOver = false;
  #isFirst = true;
  #isInBlackHole = false;
  /** The conversation has not done yet with the last frame. */
  #isBusy = false;
  #conversation: Conversation | null = null;

  constructor(socket: Socket, network: EmbeddedNetwork, traits: ConnectionTraits) {
    this.#socket = socket;
    this.#network = network;
    this.#traits = traits;
    this.#splitter = new FrameSplitter(traits.maxFrameBytes);
    this.id = network.nextConnectionId();
    this.remotePort = socket.remotePort ?? 0;
    this.server = traits.server;
    this.number = traits.number;
  }

  /** Frames are read from now on. */
  begin(conversation: Conversation): void {
    this.#conversation = conversation;
    this.#network.opened(this);
    this.#socket.setNoDelay();
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk));
    // What a client does not want to hear any more cannot be told to it.
    this.#socket.on('error', () => undefined);
    this.#socket.on('drain', () => this.#regulate());
    this.#socket.on('end', () => this.#clientHasEnded());
    this.#socket.on('close', () => this.#close());
    this.rulesChanged();
  }

  get client(): string | null {
    return this.#client;
  }

  set client(client: string | null) {
    if (client === this.#client) return;
    this.#client = client;
    this.rulesChanged();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  send(frame: Buffer): void {
    const bytes = Buffer.allocUnsafe(4 + frame.length);
    bytes.writeInt32BE(frame.length);
    frame.copy(bytes, 4);
    this.sendRaw(bytes);
  }

  sendRaw(bytes: Buffer): void {
    if (!this.#isOpen || this.#isOver) return;
    const delayMs = this.#network.drawDelayMs(this, 'answers');
    this.#answers.push(delayMs, bytes.length, () => this.#write(bytes));
    this.#regulate();
  }

  end(): void {
    if (!this.#isOpen || this.#isOver) return;
    this.#fallSilent();
    this.#answers.push(0, 0, () => this.#socket.end());
  }

  reset(): void {
    resetSocket(this.#socket);
    this.#close();
  }

  drop(): void {
    this.reset();
  }

  rulesChanged(): void {
    this.#isInBlackHole = this.#network.isBlackHole(this, 'requests');
    this.#answers.hold(this.#network.isBlackHole(this, 'answers'));
    this.#regulate();
  }

  /** The server is not ready for another request. */
  get #mustWait(): boolean {
    const areAnswersTaken =
      !this.#socket.writableNeedDrain && this.#answers.waitingBytes <= MOST_WAITING_BYTES;
    return this.#isBusy || !areAnswersTaken;
  }

  /** Has to be called when something has changed that requests wait for. */
  #regulate(): void {
    if (!this.#isOpen) return;
    // It lets requests through that change all this again, so that the rest is asked for behind it.
    this.#requests.hold(!this.#isOver && (this.#isInBlackHole || this.#mustWait));
    const waitingBytes = this.#requests.waitingBytes + this.#splitter.pendingBytes;
    if (this.#requests.isBlocked && waitingBytes > MOST_WAITING_BYTES) this.#socket.pause();
    else if (this.#socket.isPaused()) this.#socket.resume();
  }

  #write(bytes: Buffer): void {
    if (this.#socket.destroyed) return;
    this.#writeOrCut(bytes);
    this.#regulate();
  }

  #writeOrCut(bytes: Buffer): void {
    const cutAfterBytes = this.#network.takeCut(this);
    if (cutAfterBytes === null) {
      this.#socket.write(bytes);
      return;
    }
    this.#fallSilent();
    this.#answers.clear();
    // The reset comes after the bytes have left, or they would be thrown away with it.
    this.#socket.write(bytes.subarray(0, cutAfterBytes), () => this.reset());
  }

  #read(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#splitter.push(chunk);
    try {
      this.#split();
    } catch (error) {
      // As real servers do with a frame that is no frame: they close, and do not reset.
      if (!(error instanceof RangeError)) throw error;
      this.#socket.destroy();
      this.#close();
    }
  }

  #split(): void {
    while (this.#isOpen && !this.#isOver) {
      if (this.#isFirst && this.#tookPlainCommand()) return;
      const frame = this.#splitter.next();
      if (frame === null) break;
      this.#isFirst = false;
      const delayMs = this.#network.drawDelayMs(this, 'requests');
      this.#requests.push(delayMs, WAITING_FRAME_BYTES + frame.length, () => this.#hand(frame));
    }
    this.#regulate();
  }

  #hand(frame: Buffer): void {
    const work = this.#conversation?.received(frame);
    if (work !== undefined) {
      this.#isBusy = true;
      void work.then(() => {
        this.#isBusy = false;
        this.#regulate();
      });
    }
    this.#regulate();
  }

  #clientHasEnded(): void {
    // What is on its way comes first; but a server forgets the requests of a client that is gone.
    if (this.#mustWait && !this.#isInBlackHole) this.end();
    else this.#requests.push(0, 0, () => this.end());
  }

  /** What has not been handed over is thrown away, and read only to see the end of the connection. */
  #fallSilent(): void {
    this.#isOver = true;
    this.#requests.clear();
    this.#regulate();
  }

  #tookPlainCommand(): boolean {
    const head = this.#splitter.head();
    if (head === null || this.#traits.plainCommand === undefined) return false;
    const answer = this.#traits.plainCommand(head.toString('latin1'));
    if (answer === null) return false;
    this.sendRaw(Buffer.from(answer));
    this.end();
    return true;
  }

  #close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#requests.clear();
    this.#answers.clear();
    this.#network.closed(this);
    this.#conversation?.closed();
  }
}
