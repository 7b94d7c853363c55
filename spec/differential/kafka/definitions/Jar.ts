import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';

const END_OF_DIRECTORY = 0x0605_4b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const DEFLATED = 8;

/** Reads files out of a jar, one at a time. */
export class Jar {
  readonly #bytes: Buffer;
  /** Where each file's own header begins. */
  readonly #entries = new Map<string, { readonly at: number; readonly packedBytes: number }>();

  constructor(file: string) {
    this.#bytes = readFileSync(file);
    let end = this.#bytes.length - END_BYTES;
    while (this.#bytes.readUInt32LE(end) !== END_OF_DIRECTORY) end -= 1;
    let at = this.#bytes.readUInt32LE(end + 16);
    for (let left = this.#bytes.readUInt16LE(end + 10); left > 0; left--) {
      const nameBytes = this.#bytes.readUInt16LE(at + 28);
      const name = this.#bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
      this.#entries.set(name, {
        at: this.#bytes.readUInt32LE(at + 42),
        packedBytes: this.#bytes.readUInt32LE(at + 20),
      });
      at += ENTRY_BYTES + nameBytes + this.#bytes.readUInt16LE(at + 30) + this.#bytes.readUInt16LE(at + 32);
    }
  }

  read(name: string): Buffer {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw new Error(`the jar has no ${name}`);
    const { at, packedBytes } = entry;
    const from =
      at + LOCAL_HEADER_BYTES + this.#bytes.readUInt16LE(at + 26) + this.#bytes.readUInt16LE(at + 28);
    const packed = this.#bytes.subarray(from, from + packedBytes);
    return this.#bytes.readUInt16LE(at + 8) === DEFLATED ? inflateRawSync(packed) : packed;
  }
}
