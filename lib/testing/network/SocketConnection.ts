import type { Socket } from 'node:net';

import type { ClientConnection, Conversation } from './Conversation';
import { DelayLine } from './DelayLine';
import type { EmbeddedNetwork, FaultyConnection } from './EmbeddedNetwork';
import { FrameSplitter } from './FrameSplitter';
import { resetSocket } from './resetSocket';

export interface ConnectionTraits {
  readonly server: 'zookeeper' | 'broker';
  readonly number: number;
  readonly maxFrameBytes: number;
  /** The answer to a word of four letters in place of a first frame's length, or null if it is no such word. */
  readonly plainCommand?: ((word: string) => string | null) | undefined;
}

/** A client's socket, with the faults of the network on the way in both directions. */
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
  #isFirst = true;
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
    this.#socket.on('end', () => this.end());
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
    if (!this.#isOpen) return;
    this.#answers.push(this.#network.drawDelayMs(this, 'answers'), () => this.#write(bytes));
  }

  end(): void {
    this.#answers.push(0, () => this.#socket.end());
  }

  reset(): void {
    resetSocket(this.#socket);
    this.#close();
  }

  drop(): void {
    this.reset();
  }

  rulesChanged(): void {
    this.#requests.hold(this.#network.isBlackHole(this, 'requests'));
    this.#answers.hold(this.#network.isBlackHole(this, 'answers'));
  }

  #write(bytes: Buffer): void {
    if (this.#socket.destroyed) return;
    const cutAfterBytes = this.#network.takeCut(this);
    if (cutAfterBytes === null) {
      this.#socket.write(bytes);
      return;
    }
    // The reset comes after the bytes have left, or they would be thrown away with it.
    this.#socket.write(bytes.subarray(0, cutAfterBytes), () => this.reset());
  }

  #read(chunk: Buffer): void {
    this.#splitter.push(chunk);
    try {
      while (this.#isOpen) {
        if (this.#isFirst && this.#tookPlainCommand()) return;
        const frame = this.#splitter.next();
        if (frame === null) return;
        this.#isFirst = false;
        this.#requests.push(this.#network.drawDelayMs(this, 'requests'), () => {
          if (this.#isOpen) this.#conversation?.received(frame);
        });
      }
    } catch (error) {
      // As real servers do with a frame that is no frame: they close, and do not reset.
      if (!(error instanceof RangeError)) throw error;
      this.#socket.destroy();
      this.#close();
    }
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
