import { gzipSync } from 'node:zlib';

import { lz4Frame } from './writeLz4';
import { snappyBlock, snappyXerial } from './writeSnappy';
import { zstdFrame } from './writeZstd';

const NO_CODEC = 0;
export const GZIP = 1;
export const SNAPPY = 2;
export const LZ4 = 3;
export const ZSTD = 4;

/** The codecs that compress. */
export const CODECS = [GZIP, SNAPPY, LZ4, ZSTD] as const;

/** The ways in which producers write each codec. */
const STYLES: Readonly<Record<number, readonly ((bytes: Buffer) => Buffer)[]>> = {
  [NO_CODEC]: [(bytes) => bytes],
  [GZIP]: [(bytes) => gzipSync(bytes, { level: 1 }), (bytes) => gzipSync(bytes, { level: 9 })],
  [SNAPPY]: [
    snappyBlock,
    (bytes) => snappyXerial(bytes, 32_768),
    // Several blocks, as in sets that are larger than one.
    (bytes) => snappyXerial(bytes, 70),
  ],
  [LZ4]: [
    (bytes) => lz4Frame(bytes),
    (bytes) => lz4Frame(bytes, { contentSize: true, contentChecksum: true }),
    (bytes) => lz4Frame(bytes, { blockBytes: 90, blockChecksums: true }),
    (bytes) => lz4Frame(bytes, { uncompressed: true, contentChecksum: true }),
  ],
  [ZSTD]: [(bytes) => zstdFrame(bytes), (bytes) => zstdFrame(bytes, { blockBytes: 80, withSize: true })],
};

/** Compresses in one of the ways in which it is done; a `style` beyond their number is one of them, too. */
export function compress(codec: number, bytes: Buffer, style = 0): Buffer {
  const styles = STYLES[codec];
  const write = styles?.[style % styles.length];
  if (write === undefined) throw new Error(`there is no codec ${codec}`);
  return write(bytes);
}
