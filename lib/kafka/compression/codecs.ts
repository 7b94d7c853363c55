import { shownValue } from '../../config/shownValue';
import { gunzip } from './gzip';
import { lz4Frame } from './lz4';
import { withRightHeader } from './lz4Header';
import { checkedCodec } from './ownCodec';
import { snappyBlock } from './snappy';
import { inflateSnappy, inflateSnappyWith } from './xerial';
import { zstd } from './zstd';

export { isTooLarge } from './damage';

/** The codecs of Kafka, by the names that producers have in `compression.type`. */
export type CodecName = 'gzip' | 'snappy' | 'lz4' | 'zstd';

/**
 * Decompresses, at once: a Promise is refused. It must throw if the bytes are damaged, or would come to more than `maxBytes`.
 * What it returns is handed out without a copy, so it must not be written to again.
 *
 * `compressed` is, for `gzip` and `zstd`, the whole set; for `snappy` one raw block, without the framing of snappy-java; for
 * `lz4` a frame whose header checksum is right, although old producers write a wrong one. It must not be changed.
 */
export type Decompressor = (compressed: Buffer, maxBytes: number) => Uint8Array;

/** What decompresses each codec. */
export type Codecs = Readonly<Record<CodecName, Decompressor>>;

/** Inflates a compressed set; throws if it is damaged, and with `isTooLarge` true if it comes to more than `maxBytes`. */
export type Inflate = (compressed: Buffer, maxBytes: number) => Buffer;

/** By their numbers in the attributes of messages and batches. */
const CODEC_NAMES: readonly ('none' | CodecName)[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** The codecs that come with this package. */
export const builtInCodecs: Codecs = Object.freeze({
  gzip: gunzip,
  snappy: snappyBlock,
  lz4: lz4Frame,
  zstd,
});

/** The codecs that come with this package, and an application's own in place of those that it names. */
export function codecsWith(own: Partial<Codecs>): Codecs {
  return {
    gzip: own.gzip ?? builtInCodecs.gzip,
    snappy: own.snappy ?? builtInCodecs.snappy,
    lz4: own.lz4 ?? builtInCodecs.lz4,
    zstd: own.zstd ?? builtInCodecs.zstd,
  };
}

/** What is wrong with an application's own codecs; it may have given none. */
export function faultsOfCodecs(given: unknown): string[] {
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return [`codecs must be an object such as { snappy: decompress }, not ${shownValue(given)}`];
  }
  const faults: string[] = [];
  for (const [name, codec] of Object.entries(given)) {
    if (!Object.hasOwn(builtInCodecs, name)) {
      faults.push(`codecs may have ${Object.keys(builtInCodecs).join(', ')}, not ${shownValue(name)}`);
    } else if (codec !== undefined && typeof codec !== 'function') {
      faults.push(`codecs.${name} must be a function that decompresses, not ${shownValue(codec)}`);
    }
  }
  return faults;
}

export function codecName(codec: number): string {
  return CODEC_NAMES[codec] ?? `number ${codec}`;
}

/**
 * How to inflate sets with that codec number (the low three bits of the attributes) in a message or batch of that format;
 * null if nobody knows that number, or if it is 0 for none.
 */
export function inflaterOf(codecs: Codecs, codec: number, magic: 0 | 1 | 2): Inflate | null {
  const name = CODEC_NAMES[codec];
  if (name === undefined || name === 'none') return null;
  switch (name) {
    case 'gzip':
      return codecs.gzip === gunzip ? gunzip : checkedCodec(name, codecs.gzip);
    case 'zstd':
      return codecs.zstd === zstd ? zstd : checkedCodec(name, codecs.zstd);
    case 'snappy': {
      if (codecs.snappy === snappyBlock) return inflateSnappy;
      const inflateBlock = checkedCodec(name, codecs.snappy);
      return (compressed, maxBytes) => inflateSnappyWith(inflateBlock, compressed, maxBytes);
    }
    case 'lz4': {
      const inflateFrame = codecs.lz4 === lz4Frame ? lz4Frame : checkedCodec(name, codecs.lz4);
      return (compressed, maxBytes) => inflateFrame(withRightHeader(compressed, magic), maxBytes);
    }
  }
}
