import { withoutIndices, type Piece } from '../Comparison';
import type { BrokerAddress } from '../../support/cluster/clusterFiles';
import type { Part } from './definitions/PartReader';

/** The brokers' clocks are the clock of this machine; nothing that a script writes has a time near it. */
const CLOCK_MARGIN_MS = 600_000;

/** Why a field is left out, as its name then ends. */
export const CLOCK = ' (by the clock)';
export const OTHER_ENCODER = ' (by another compressor)';

/** As clusters and topics have them in text. */
const RANDOM_ID = /[\w-]{22}/g;
const UUID_LENGTH = 36;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** What a field has to have in this cluster, and what it is called in all. */
export interface Expected {
  readonly bytes: Buffer;
  readonly name: string;
}

/** Puts names in the place of what differs from cluster to cluster: ports, ids that were drawn. */
export class KnownNames {
  readonly #brokers: readonly BrokerAddress[];
  /** By their bytes, each as a character. */
  readonly #known = new Map<string, string>();
  /** Ids that end in a UUID, as members have them, get numbers in the order in which they are seen. */
  readonly #uuids = new Map<string, string>();
  /** How often a name was put in, by the field without indices. */
  readonly mapped = new Map<string, number>();

  constructor(brokers: readonly BrokerAddress[]) {
    this.#brokers = brokers;
  }

  /** From now on a field that has these bytes has this name instead. */
  add(name: string, bytes: Buffer | string): void {
    this.#known.set(Buffer.from(bytes).toString('latin1'), `<${name}>`);
  }

  /** The same text with the names of all that is in it. */
  inText(text: string): string {
    return text.replaceAll(RANDOM_ID, (id) => this.#known.get(id) ?? id);
  }

  /** @param expected - by the name of the field, without indices */
  translate({ field, bytes }: Part, expected: Readonly<Record<string, Expected>> = {}): Piece {
    const plain = withoutIndices(field);
    const wanted = expected[plain];
    if (wanted?.bytes.equals(bytes)) return this.#name(field, Buffer.from(`<${wanted.name}>`));
    if (plain.endsWith('port') && bytes.length === 4) {
      const broker = this.#brokers.find(({ port }) => port === bytes.readInt32BE());
      if (broker !== undefined) return this.#name(field, Buffer.from(`<port of broker ${broker.id}>`));
    }
    if (bytes.length === 8 && Math.abs(Number(bytes.readBigInt64BE()) - Date.now()) < CLOCK_MARGIN_MS) {
      return { field: field + CLOCK, bytes };
    }
    const known = this.#known.get(bytes.toString('latin1'));
    const translated = known === undefined ? this.#number(bytes) : Buffer.from(known);
    return translated === bytes ? { field, bytes } : this.#name(field, translated);
  }

  #number(bytes: Buffer): Buffer {
    if (bytes.length < UUID_LENGTH) return bytes;
    const text = bytes.toString('latin1');
    const numbered = text.replaceAll(UUID, (uuid) => {
      const name = this.#uuids.get(uuid) ?? `<uuid ${this.#uuids.size + 1}>`;
      this.#uuids.set(uuid, name);
      return name;
    });
    return numbered === text ? bytes : Buffer.from(numbered, 'latin1');
  }

  #name(field: string, bytes: Buffer): Piece {
    const plain = withoutIndices(field);
    this.mapped.set(plain, (this.mapped.get(plain) ?? 0) + 1);
    return { field, bytes };
  }
}
